import type { ExportedMemory } from "./exported-memory.ts";

export interface ExportedFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

export interface ExportOptions {
  /** Name of the database. */
  readonly database: string;
  readonly now: Date;
  /** The most entries in each part, for formats that export a selection. */
  readonly limit: number;
}

/**
 * Writes a memory for people and other tools to read. The format that cairn can read back is `cairn export`.
 */
export interface Exporter {
  /** The name that `--format` takes. */
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /**
   * `files`: a folder of files, or all of them as one. `section`: a part of a file whose other content stays
   * as it is.
   */
  readonly form: "files" | "section";
  /** The files in the order in which they are joined to one. */
  write(memory: ExportedMemory, options: ExportOptions): AsyncIterable<ExportedFile>;
}
