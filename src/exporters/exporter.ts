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
  /** Most entries of each part, where a format holds a choice only. */
  readonly limit: number;
}

/** Writes a memory for people and other tools to read; what cairn reads back is `cairn export`. */
export interface Exporter {
  /** What `--format` takes. */
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /**
   * `files`: a folder of them, or all in one. `section`: a part of a file that holds other things
   * too, which stay as they are.
   */
  readonly form: "files" | "section";
  /** In the order in which they are read when they are one. */
  write(memory: ExportedMemory, options: ExportOptions): AsyncIterable<ExportedFile>;
}
