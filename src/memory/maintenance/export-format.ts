import { createHash } from "node:crypto";

/**
 * An export has one JSON object per line: the header, rows as `{"table": "episodes", "row": {…}}`
 * with the table's columns, and the trailer.
 */
export const EXPORT_FORMAT = "cairn-export";
/** Incremented by changes that older versions cannot read. */
export const EXPORT_VERSION = 2;
/** Exports of version 1 have no trailer. */
export const VERSION_WITHOUT_TRAILER = 1;

export const EXPORT_HEADER = JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION });

export interface ExportTrailer {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
  /** False if unreadable rows are missing. */
  readonly complete: boolean;
  /** SHA-256 of all preceding lines with their newlines, in hexadecimal. */
  readonly sha256: string;
}

export class ExportTally {
  readonly #hash = createHash("sha256");
  readonly #tables: Record<string, number> = {};
  #rows = 0;

  addText(text: string): void {
    this.#hash.update(text);
  }

  addRows(table: string, count: number): void {
    this.#rows += count;
    this.#tables[table] = (this.#tables[table] ?? 0) + count;
  }

  get rows(): number {
    return this.#rows;
  }

  trailer(complete: boolean): ExportTrailer {
    const sha256 = this.#hash.copy().digest("hex");
    return { rows: this.#rows, tables: { ...this.#tables }, complete, sha256 };
  }
}
