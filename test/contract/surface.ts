import type { MemoryStore, Operation } from "../../src/memory/index.ts";
import type { Given } from "./renumbering.ts";

export type Outcome =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly details?: unknown } };

/** Access to the operations of one data folder. */
export interface Surface {
  readonly name: string;
  /** Returns undefined if the surface does not support the operation. */
  call(operation: Operation, input: Input): Promise<Outcome | undefined>;
  close(): Promise<void>;
}

export type Input = Readonly<Record<string, unknown>>;

export interface SurfaceSetup {
  readonly dataDir: string;
  readonly store: MemoryStore;
  readonly layers?: readonly string[];
  /** Ids assigned to records that were removed since; undefined for a new memory. */
  readonly given?: Given;
}

export function surfaceSetup({ dataDir, layers }: SurfaceSetup) {
  return { dataDir, ...(layers !== undefined && { layers }) };
}
