import type { MemoryStore, Operation } from "../../src/memory/index.ts";
import type { Given } from "./renumbering.ts";

/** Result of a call on any surface. */
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

/** Environment in which a surface is opened. */
export interface Ground {
  readonly dataDir: string;
  /** Store on the same folder, for operations that the surface lacks. */
  readonly store: MemoryStore;
  /** Names of the outer layers; none by default. */
  readonly layers?: readonly string[];
  /** Ids assigned to records that were removed since; undefined for a new memory. */
  readonly given?: Given;
}

/** Options to open a server or store in this environment. */
export function setupOf({ dataDir, layers }: Ground) {
  return { dataDir, ...(layers !== undefined && { layers }) };
}
