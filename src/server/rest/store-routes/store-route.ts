import { z } from "zod";
import type { MemoryStore } from "../../../memory/index.ts";
import type { AccessScope, Caller } from "../../../shared/caller.ts";

export interface StoreRoute<
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Id extends string = string,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below the prefix; `{name}` is a database, `{id}` an entry of the bin or a token. */
  readonly path: string;
  readonly id: Id;
  readonly summary: string;
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

export interface StoreTarget<Body> {
  readonly store: MemoryStore;
  readonly name: string;
  readonly input: Body;
  readonly db: string | undefined;
}

export function defineStoreRoute<
  const Id extends string,
  Body extends z.ZodObject,
  Output extends z.ZodType,
>(route: StoreRoute<Body, Output, Id>): StoreRoute<Body, Output, Id> {
  return route;
}

export function downloadOf(contentType: string): z.ZodType<Response, Response> {
  return z.instanceof(Response).meta({ contentMediaType: contentType });
}

export function downloadType({ output }: StoreRoute): string | undefined {
  const type = output.meta()?.contentMediaType;
  return typeof type === "string" ? type : undefined;
}
