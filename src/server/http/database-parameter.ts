import { invalidInput } from "../../shared/errors.ts";

/**
 * The `db` parameter of a query string; undefined when it is not given. Throws invalid_input when
 * it is empty or given twice. Whether it is a name at all is decided where databases are opened.
 */
export function databaseParameter(query: URLSearchParams): string | undefined {
  const given = query.getAll("db");
  if (given.length > 1) throw invalidInput("db: give it once.");
  if (given[0] === "") {
    throw invalidInput("db: must not be empty; leave it out for the default database.");
  }
  return given[0];
}

/** The query string of a request's URL. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}
