import { invalidInput, messageOf } from "../../shared/errors.ts";
import { type Connection, connectDriver } from "./driver.ts";

export type OtherRow = Readonly<Record<string, unknown>>;

/** The SQLite database of another program, opened read-only and left unchanged. */
export class OtherDatabase implements Disposable {
  readonly #database: Connection;
  readonly #label: string;

  /** `label` names it in errors. Throws invalid_input if it is no readable database. */
  constructor(path: string, label = path) {
    this.#label = label;
    try {
      this.#database = connectDriver(path, { readonly: true, fileMustExist: true });
    } catch (error) {
      throw unreadable(label, error);
    }
  }

  /** True if it has a table with these columns. */
  has(table: string, columns: readonly string[] = []): boolean {
    const known = new Set(
      [...this.rows("select name from pragma_table_info(?)", table)].map(({ name }) => name),
    );
    return known.size > 0 && columns.every((column) => known.has(column));
  }

  *rows(statement: string, ...values: readonly unknown[]): Generator<OtherRow> {
    try {
      for (const row of this.#database.prepare(statement).iterate(...values)) yield row as OtherRow;
    } catch (error) {
      throw unreadable(this.#label, error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function unreadable(label: string, error: unknown): Error {
  return invalidInput(
    `file: ${label} cannot be read as a SQLite database (${messageOf(error)}); close the program that uses it, or name a whole copy`,
  );
}
