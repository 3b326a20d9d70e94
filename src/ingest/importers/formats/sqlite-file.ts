import { OtherDatabase, type OtherRow } from "../../../database/index.ts";
import { invalidInput } from "../../../shared/errors.ts";
import type { ImportInput } from "../import-input.ts";

const SQLITE_HEADER = "SQLite format 3\0";

export async function isSqlite(input: ImportInput): Promise<boolean> {
  const bytes = await input.peek();
  return Buffer.from(bytes.subarray(0, SQLITE_HEADER.length)).toString("latin1") === SQLITE_HEADER;
}

export class SqliteFile implements Disposable {
  readonly #database: OtherDatabase;
  readonly #tables: ReadonlySet<unknown>;

  /** Throws `invalid_input` if the input is not a SQLite file. */
  constructor(input: ImportInput) {
    if (input.path === undefined) {
      throw invalidInput("file: a SQLite file cannot be piped; pass its path");
    }
    this.#database = new OtherDatabase(input.path, input.label);
    const rows = this.#database.rows("select name from sqlite_master where type = 'table'");
    this.#tables = new Set(Array.from(rows, ({ name }) => name));
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  /** Yields rows in storage order; none if the table does not exist. */
  *rows(table: string): Generator<OtherRow> {
    if (!this.has(table)) return;
    yield* this.#database.rows(`select * from "${table.replaceAll('"', '""')}" order by rowid`);
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }
}
