import { parseTimestamp } from "../../../shared/time.ts";

/**
 * Tells seconds from milliseconds: seconds stay below this for 3 000 years, milliseconds have been
 * above it since 1973.
 */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * Converts a time in the format of another tool: ISO 8601, also with a space instead of the `T` as
 * in SQLite and Python, or seconds or milliseconds since 1970. Undefined if the value is not a
 * time.
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value === "number") return timeOfNumber(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (\d)/, "$1T$2");
  try {
    return parseTimestamp(text, "start");
  } catch {
    return undefined;
  }
}

function timeOfNumber(value: number): string | undefined {
  const date = new Date(value < FIRST_MILLISECONDS ? value * 1000 : value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date.toISOString() : undefined;
}
