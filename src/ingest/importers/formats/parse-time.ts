import { z } from "zod";
import { parseTimestamp, tryToTimestamp } from "../../../shared/time.ts";

/**
 * Separates seconds from milliseconds: seconds stay below until the year 5138, milliseconds have
 * been above since 1973.
 */
const MIN_MILLISECOND_VALUE = 100_000_000_000;

/** A time in another tool's record: text, Unix seconds or milliseconds. */
export const timeField = z.union([z.string(), z.number()]).nullish();

/**
 * Converts another tool's time: ISO 8601 (with `T` or a space), Unix seconds or milliseconds.
 * Undefined if invalid.
 */
export function parseTime(value: unknown): string | undefined {
  if (typeof value === "number") return parseEpochTime(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/^(\d{4}-\d{2}-\d{2}) (\d)/, "$1T$2");
  try {
    return parseTimestamp(text, "start");
  } catch {
    return undefined;
  }
}

function parseEpochTime(value: number): string | undefined {
  const date = new Date(value < MIN_MILLISECOND_VALUE ? value * 1000 : value);
  return value < 0 ? undefined : tryToTimestamp(date);
}
