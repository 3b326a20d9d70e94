import { z } from "zod";
import type { MemoryStore } from "../../../memory/index.ts";
import type { AccessScope, Caller } from "../../../shared/caller.ts";

/** A route about whole databases; all other routes are made from operations. */
export interface StoreRoute<
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Id extends string = string,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below the prefix; `{name}` is a database, `{id}` an entry of the bin or a token. */
  readonly path: string;
  /** The operation id in the OpenAPI document. */
  readonly id: Id;
  readonly summary: string;
  /** Heading in the OpenAPI document; default: databases. */
  readonly tag?: "tokens" | "access";
  /** True if a call changes a database; default: true for any method but GET. */
  changes?(input: z.output<Body>): boolean;
  /** The scope that a token needs; default: admin if the route changes a database, else read. */
  readonly scope?: AccessScope;
  /**
   * The databases that a call reads or changes, for tokens limited to some. Default: the route
   * concerns all databases, and such a token is refused.
   */
  databases?(call: StoreTarget<z.output<Body>>): readonly string[];
  /** Schema of the JSON body of a POST. */
  readonly body: Body;
  /** The route takes time and reports its progress to clients that accept `text/event-stream`. */
  readonly isLong?: boolean;
  /** The answer: JSON of this schema, or a download (`downloadOf`). */
  readonly output: Output;
  serve(at: StoreCall<z.output<Body>>): Promise<z.input<Output>>;
}

export interface StoreCall<Body> extends StoreTarget<Body> {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  onProgress(progress: { stage: string; done: number; total: number }): void;
}

/** The target of a call. */
export interface StoreTarget<Body> {
  readonly store: MemoryStore;
  /** From the path. */
  readonly name: string;
  readonly input: Body;
  /** From the `db` parameter. */
  readonly db: string | undefined;
}

/** Keeps the literal type of the id, and the types of body and answer. */
export function defineStoreRoute<
  const Id extends string,
  Body extends z.ZodObject,
  Output extends z.ZodType,
>(route: StoreRoute<Body, Output, Id>): StoreRoute<Body, Output, Id> {
  return route;
}

/** Marks an answer as a file with this content type. */
export function downloadOf(contentType: string): z.ZodType<Response, Response> {
  return z.instanceof(Response).meta({ contentMediaType: contentType });
}

/** The content type of the file; undefined if the answer is JSON. */
export function downloadType({ output }: StoreRoute): string | undefined {
  const type = output.meta()?.contentMediaType;
  return typeof type === "string" ? type : undefined;
}
