import { parseTimestamp } from "../../kernel/time.ts";

/** Seconds lie below this for another 3 000 years, milliseconds above it since 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * A time as other tools write it: ISO 8601, with a blank for the `T` as SQLite and Python have it,
 * or seconds or milliseconds since 1970. Undefined for what is no time.
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value === "number") return timeOfNumber(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (\d)/, "$1T$2");
  try {
    return parseTimestamp(text, "start");
  } catch {
    // What is no time is left to the caller, who keeps it as it was written.
    return undefined;
  }
}

function timeOfNumber(value: number): string | undefined {
  const date = new Date(value < FIRST_MILLISECONDS ? value * 1000 : value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date.toISOString() : undefined;
}
