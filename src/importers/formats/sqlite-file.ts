import { type Connection, connectDriver } from "../../database/index.ts";
import { invalidInput, messageOf } from "../../kernel/errors.ts";
import type { ImportInput } from "../import-input.ts";

const MAGIC = "SQLite format 3\0";

export async function isSqlite(input: ImportInput): Promise<boolean> {
  const bytes = await input.peek();
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;
}

/** The database of another program, open for reading only; it is left as it is. */
export class SqliteFile implements Disposable {
  readonly #database: Connection;
  readonly #label: string;
  readonly #tables: ReadonlySet<string>;

  /** Throws invalid_input when it is not on disk or not a database. */
  constructor(input: ImportInput) {
    this.#label = input.label;
    if (input.path === undefined) {
      throw invalidInput("file: a SQLite file is read from its place; name its path");
    }
    try {
      this.#database = connectDriver(input.path, { readonly: true, fileMustExist: true });
      const rows = this.#database.prepare("select name from sqlite_master where type = 'table'");
      this.#tables = new Set(rows.pluck().all().map(String));
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  /** All rows of a table, one at a time in the order of their storage; none if it is not there. */
  *rows(table: string): Generator<Readonly<Record<string, unknown>>> {
    if (!this.has(table)) return;
    const quoted = `"${table.replaceAll('"', '""')}"`;
    try {
      for (const row of this.#database
        .prepare(`select * from ${quoted} order by rowid`)
        .iterate()) {
        yield row as Readonly<Record<string, unknown>>;
      }
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #unreadable(error: unknown): Error {
    return invalidInput(
      `file: ${this.#label} cannot be read as a SQLite database (${messageOf(error)}); close the program that uses it and copy it whole`,
    );
  }
}
