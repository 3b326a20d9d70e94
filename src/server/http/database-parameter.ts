import { invalidInput } from "../../shared/errors.ts";

/**
 * Parses `db`; undefined if absent. Throws invalid_input if empty or repeated. Opening validates
 * the name.
 */
export function databaseParameter(query: URLSearchParams): string | undefined {
  const values = query.getAll("db");
  if (values.length > 1) throw invalidInput("db: must not be repeated.");
  if (values[0] === "") {
    throw invalidInput("db: must not be empty; omit it for the default database.");
  }
  return values[0];
}

export function parseQuery(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}
