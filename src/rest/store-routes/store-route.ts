import type { z } from "zod";
import type { AccessScope, Caller } from "../../kernel/caller.ts";
import type { MemoryStore } from "../../memory/index.ts";

/** A route about databases as a whole, beside those that are made from operations. */
export interface StoreRoute<Body extends z.ZodObject = z.ZodObject> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix; `{name}` is a database, `{id}` one in the bin or a token. */
  readonly path: string;
  /** Name in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  /** Heading in the OpenAPI document; default: databases. */
  readonly tag?: "tokens";
  /** Whether a call changes a database; default: any but a GET. */
  changes?(input: z.output<Body>): boolean;
  /** What a token must allow; default: admin for what changes a database, else read. */
  readonly scope?: AccessScope;
  /** Of a POST: its JSON body. */
  readonly body: Body;
  /** It takes time, and tells its progress to who accepts `text/event-stream`. */
  readonly isLong?: boolean;
  /** Content type of an answer that is no JSON. */
  readonly answers?: string;
  serve(at: StoreCall<z.output<Body>>): Promise<unknown>;
}

export interface StoreCall<Body> {
  readonly store: MemoryStore;
  /** Of the path. */
  readonly name: string;
  readonly input: Body;
  /** The database of the `db` parameter. */
  readonly db: string | undefined;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  onProgress(progress: { stage: string; done: number; total: number }): void;
}

export function defineStoreRoute<Body extends z.ZodObject>(
  route: StoreRoute<Body>,
): StoreRoute<Body> {
  return route;
}
