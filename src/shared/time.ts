import { toTimestamp } from "./clock.ts";
import { invalidInput } from "./errors.ts";
import { shorten } from "./shorten.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /^T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?/;
const ZONE = /^(?:Z|([+-])(\d{2}):?(\d{2}))$/;

/**
 * Turns an ISO 8601 date or datetime into a timestamp (UTC, milliseconds, `Z`). Without a zone it is read as
 * UTC; `dateAlone` says which end of the day a bare date means. Finer fractions are cut off. Throws
 * invalid_input for anything else, including days that do not exist.
 */
export function parseTimestamp(text: string, dateAlone: "start" | "end"): string {
  const date = DATE.exec(text);
  if (date === null) throw notATime(text);
  const [matched, year, month, day] = date;
  const rest = text.slice(matched.length);
  const start = startOfDay(Number(year), Number(month), Number(day));
  if (start === undefined) {
    throw invalidInput(`must be a date that exists; ${matched} does not.`);
  }
  if (rest === "") return toTimestamp(new Date(dateAlone === "start" ? start : start + DAY - 1));
  const timeOfDay = parseTimeOfDay(rest);
  if (timeOfDay === undefined) throw notATime(text);
  const instant = new Date(start + timeOfDay);
  const hasFourDigitYear = instant.getUTCFullYear() >= 0 && instant.getUTCFullYear() <= 9999;
  if (!hasFourDigitYear) throw invalidInput("must lie in the years 0000 to 9999, in UTC.");
  return toTimestamp(instant);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds since 1970, or undefined for a day that the calendar does not have. */
function startOfDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Milliseconds since the start of the UTC day, from a text such as `T10:30:00.5+02:00`. */
function parseTimeOfDay(text: string): number | undefined {
  const time = TIME.exec(text);
  if (time === null) return undefined;
  const [matched, hour = "", minute = "", second = "0", fraction = ""] = time;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = parseZone(text.slice(matched.length));
  if (offset === undefined) return undefined;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  return (
    Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * SECOND + milliseconds - offset
  );
}

/** How many milliseconds the zone is ahead of UTC. */
function parseZone(text: string): number | undefined {
  if (text === "") return 0;
  const zone = ZONE.exec(text);
  if (zone === null) return undefined;
  const [, sign, hours = "0", minutes = "0"] = zone;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE;
  return sign === "-" ? -offset : offset;
}

function notATime(text: string): Error {
  const shown = JSON.stringify(shorten(text, 40));
  return invalidInput(
    `must be an ISO date or datetime such as 2026-03-31 or 2026-03-31T10:30:00Z, not ${shown}.`,
  );
}
