import { z } from "zod";
import type { AccessScope, Caller } from "../../kernel/caller.ts";
import type { MemoryStore } from "../../memory/index.ts";

/** A route about databases as a whole, beside those that are made from operations. */
export interface StoreRoute<
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Id extends string = string,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix; `{name}` is a database, `{id}` one in the bin or a token. */
  readonly path: string;
  /** Name in the OpenAPI document. */
  readonly id: Id;
  readonly summary: string;
  /** Heading in the OpenAPI document; default: databases. */
  readonly tag?: "tokens" | "access";
  /** Whether a call changes a database; default: any but a GET. */
  changes?(input: z.output<Body>): boolean;
  /** What a token must allow; default: admin for what changes a database, else read. */
  readonly scope?: AccessScope;
  /**
   * The databases that a call reads or changes, for tokens that are for some only; default: it concerns
   * all of them, and such a token is refused.
   */
  databases?(call: StoreTarget<z.output<Body>>): readonly string[];
  /** Of a POST: its JSON body. */
  readonly body: Body;
  /** It takes time, and tells its progress to who accepts `text/event-stream`. */
  readonly isLong?: boolean;
  /** What it answers: JSON of this form, or a download (`downloadOf`). */
  readonly output: Output;
  serve(at: StoreCall<z.output<Body>>): Promise<z.input<Output>>;
}

export interface StoreCall<Body> extends StoreTarget<Body> {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  onProgress(progress: { stage: string; done: number; total: number }): void;
}

/** What a call is about. */
export interface StoreTarget<Body> {
  readonly store: MemoryStore;
  /** Of the path. */
  readonly name: string;
  readonly input: Body;
  /** The database of the `db` parameter. */
  readonly db: string | undefined;
}

/** Keeps the literal id and the types of body and answer. */
export function defineStoreRoute<
  const Id extends string,
  Body extends z.ZodObject,
  Output extends z.ZodType,
>(route: StoreRoute<Body, Output, Id>): StoreRoute<Body, Output, Id> {
  return route;
}

/** The answer of a route that sends a file of this content type. */
export function downloadOf(contentType: string): z.ZodType<Response, Response> {
  return z.instanceof(Response).meta({ contentMediaType: contentType });
}

/** The content type of the file that is sent; undefined where JSON is answered. */
export function downloadType({ output }: StoreRoute): string | undefined {
  const type = output.meta()?.contentMediaType;
  return typeof type === "string" ? type : undefined;
}
