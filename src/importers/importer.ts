import type { ImportInput } from "./import-input.ts";
import type { ImportedRecord } from "./imported.ts";

/** What a person may say about how a source is to be read. */
export interface ImportOptions {
  /** Statements about entities become facts, which are checked for collisions. */
  readonly asFacts?: boolean;
  /** Whole conversations come in too, one episode each, besides what was kept as memory. */
  readonly conversations?: boolean;
  /** For sources without a shape of their own: field of an episode to the name in the source. */
  readonly map?: Readonly<Record<string, string>>;
}

/**
 * Reads what another tool keeps as memory. An importer never invents anything: what it cannot map
 * goes into the metadata, what it cannot read becomes a skipped record. It does not touch the
 * database. Records come in an order in which nothing refers to what comes later.
 */
export interface Importer {
  /** What `--from` takes. */
  readonly name: string;
  /** One line for the help: which tool, which file. */
  readonly summary: string;
  /** Whether this is clearly such a source. Looks at names and beginnings only. */
  recognizes(input: ImportInput): Promise<boolean>;
  /** Throws invalid_input when the source as a whole cannot be read. */
  read(input: ImportInput, options: ImportOptions): AsyncIterable<ImportedRecord>;
}
