import { createHash } from "node:crypto";

/**
 * An export is one JSON object a line. The first is the header, the last the trailer; every other
 * holds one row: `{"table": "episodes", "row": {…}}`, where the row has the columns of the table.
 */
export const EXPORT_FORMAT = "cairn-export";
/** Counts up with every change that an older cairn could not read. */
export const EXPORT_VERSION = 2;
/** Exports of the first version end without a trailer. */
export const VERSION_WITHOUT_TRAILER = 1;

export const EXPORT_HEADER = JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION });

/** What the last line tells of those before it: `{"end": {…}}`. */
export interface ExportTrailer {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
  /** True if rows that could not be read are missing. */
  readonly complete: boolean;
  /** SHA-256 of all lines before, each with its newline, in hexadecimal. */
  readonly sha256: string;
}

/** Counts and sums up the lines of an export, as they are written or read. */
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
