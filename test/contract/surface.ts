import type { MemoryStore, Operation } from "../../src/memory/index.ts";
import type { Given } from "./renumbering.ts";

/** What a call led to, on any surface. */
export type Outcome =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly details?: unknown } };

/** A way to the operations of one data directory. */
export interface Surface {
  readonly name: string;
  /** Undefined: this surface does not offer the operation. */
  call(operation: Operation, input: Input): Promise<Outcome | undefined>;
  close(): Promise<void>;
}

export type Input = Readonly<Record<string, unknown>>;

/** What a surface is opened on. */
export interface Ground {
  readonly dataDir: string;
  /** Open on the same directory, for what a surface does not offer. */
  readonly store: MemoryStore;
  /** Names of the farther layers; default: none. */
  readonly layers?: readonly string[];
  /** The ids that it gave before, of what was since taken away; nothing of a new memory. */
  readonly given?: Given;
}

/** How a server or a store is opened on it. */
export function setupOf({ dataDir, layers }: Ground) {
  return { dataDir, ...(layers !== undefined && { layers }) };
}
