import type { ImportInput } from "./import-input.ts";
import type { ImportedRecord } from "./imported.ts";

/** The user's choices on how a source is read. */
export interface ImportOptions {
  /** Turns statements about entities into facts, which are checked for contradictions. */
  readonly asFacts?: boolean;
  /** Imports whole conversations as well, one episode each. */
  readonly conversations?: boolean;
  /** For sources without a fixed schema: maps fields of an episode to names in the source. */
  readonly map?: Readonly<Record<string, string>>;
}

/**
 * Reads the memories of another tool. An importer invents nothing: what it cannot map goes into the
 * metadata, and what it cannot read becomes a skipped record. It does not touch the database.
 * Records refer only to earlier records.
 */
export interface Importer {
  /** The value of `--from`. */
  readonly name: string;
  /** One line for the help: which tool, which file. */
  readonly summary: string;
  /** True if the input clearly is such a source, judged by file names and first bytes only. */
  recognizes(input: ImportInput): Promise<boolean>;
  /** Throws invalid_input if the source as a whole cannot be read. */
  read(input: ImportInput, options: ImportOptions): AsyncIterable<ImportedRecord>;
}
