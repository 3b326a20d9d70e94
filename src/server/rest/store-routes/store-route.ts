import { z } from "zod";
import type { MemoryStore } from "../../../memory/index.ts";
import type { AccessScope, Caller } from "../../../shared/caller.ts";

export interface StoreRoute<
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Id extends string = string,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the prefix; `{name}` is a database, `{id}` a trash entry or token. */
  readonly path: string;
  readonly id: Id;
  readonly summary: string;
  readonly tag?: "tokens" | "access";
  /** True if the call changes a database. Default: all methods except GET. */
  changes?(input: z.output<Body>): boolean;
  /** Required token scope. Default: admin if the route changes a database, otherwise read. */
  readonly scope?: AccessScope;
  /**
   * Databases that a call accesses, for restricted tokens. Default: all databases, which such
   * tokens cannot access.
   */
  databases?(call: StoreTarget<z.output<Body>>): readonly string[];
  readonly body: Body;
  /** Streams progress to clients that accept `text/event-stream`. */
  readonly isLong?: boolean;
  /** JSON schema of the response, or a download (`downloadOf`). */
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

export function downloadSchema(contentType: string): z.ZodType<Response, Response> {
  return z.instanceof(Response).meta({ contentMediaType: contentType });
}

export function downloadType({ output }: StoreRoute): string | undefined {
  const type = output.meta()?.contentMediaType;
  return typeof type === "string" ? type : undefined;
}
