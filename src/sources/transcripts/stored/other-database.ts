import { type Connection, connectDriver } from "../../../database/index.ts";
import { invalidInput, messageOf } from "../../../kernel/errors.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The SQLite database of another program, open for reading only; it is left as it is. */
export class OtherDatabase implements Disposable {
  readonly #database: Connection;
  readonly #path: string;

  /** Throws invalid_input where it is no database that can be read. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = connectDriver(path, { readonly: true, fileMustExist: true });
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** Whether it has a table with these columns. */
  has(table: string, columns: readonly string[] = []): boolean {
    const known = new Set(
      [...this.rows("select name from pragma_table_info(?)", table)].map(({ name }) => name),
    );
    return known.size > 0 && columns.every((column) => known.has(column));
  }

  *rows(statement: string, ...values: readonly unknown[]): Generator<Row> {
    try {
      for (const row of this.#database.prepare(statement).iterate(...values)) yield row as Row;
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function unreadable(path: string, error: unknown): Error {
  return invalidInput(
    `file: ${path} cannot be read as a SQLite database (${messageOf(error)}); close the program that uses it, or name a copy`,
  );
}
