import fc from "fast-check";
import { expect, it } from "vitest";
import { isCairnError } from "../../src/shared/errors.ts";
import { parseMoment } from "../../src/shared/time.ts";

const now = new Date("2026-04-01T15:30:20.500Z");

it.each([
  ["2d", "2026-03-30T15:30:20.500Z", "2026-03-30T15:30:20.500Z"],
  ["-7d", "2026-03-25T15:30:20.500Z", "2026-03-25T15:30:20.500Z"],
  ["3 weeks ago", "2026-03-11T15:30:20.500Z", "2026-03-11T15:30:20.500Z"],
  ["90 min", "2026-04-01T14:00:20.500Z", "2026-04-01T14:00:20.500Z"],
  ["1 month ago", "2026-03-01T15:30:20.500Z", "2026-03-01T15:30:20.500Z"],
  ["2y", "2024-04-01T15:30:20.500Z", "2024-04-01T15:30:20.500Z"],
  ["now", "2026-04-01T15:30:20.500Z", "2026-04-01T15:30:20.500Z"],
  ["Today", "2026-04-01T00:00:00.000Z", "2026-04-01T23:59:59.999Z"],
  ["yesterday", "2026-03-31T00:00:00.000Z", "2026-03-31T23:59:59.999Z"],
  ["wednesday", "2026-04-01T00:00:00.000Z", "2026-04-01T23:59:59.999Z"],
  ["last  wed", "2026-03-25T00:00:00.000Z", "2026-03-25T23:59:59.999Z"],
  ["last monday", "2026-03-30T00:00:00.000Z", "2026-03-30T23:59:59.999Z"],
  ["this week", "2026-03-30T00:00:00.000Z", "2026-04-05T23:59:59.999Z"],
  ["last week", "2026-03-23T00:00:00.000Z", "2026-03-29T23:59:59.999Z"],
  ["last month", "2026-03-01T00:00:00.000Z", "2026-03-31T23:59:59.999Z"],
  ["2026-02", "2026-02-01T00:00:00.000Z", "2026-02-28T23:59:59.999Z"],
  ["2025", "2025-01-01T00:00:00.000Z", "2025-12-31T23:59:59.999Z"],
  ["2026-03-31", "2026-03-31T00:00:00.000Z", "2026-03-31T23:59:59.999Z"],
  ["2026-03-31T10:00+02:00", "2026-03-31T08:00:00.000Z", "2026-03-31T08:00:00.000Z"],
])("reads %s", (text, start, end) => {
  expect([parseMoment(text, "start", now), parseMoment(text, "end", now)]).toEqual([start, end]);
});

it("uses the last day of a shorter month", () => {
  const march = new Date("2026-03-31T12:00:00Z");
  expect(parseMoment("1mo", "start", march)).toBe("2026-02-28T12:00:00.000Z");
});

it.each(["", "soon", "2 fortnights", "last", "last tomorrow", "2026-13", "constructor", "999999y"])(
  "rejects %j and lists valid formats",
  (text) => {
    expect(() => parseMoment(text, "start", now)).toThrow(/must be a date such as/);
  },
);

it("reports a nonexistent date", () => {
  expect(() => parseMoment("2026-02-30", "start", now)).toThrow("2026-02-30 does not");
});

it("returns a timestamp or a helpful error for any text", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^-?\d{1,7} ?[a-z]{0,7}( ago)?$/)),
      (text) => {
        try {
          const [start, end] = [parseMoment(text, "start", now), parseMoment(text, "end", now)];
          expect(start <= end).toBe(true);
          expect(new Date(start).toISOString()).toBe(start);
        } catch (error) {
          if (!isCairnError(error)) throw error;
        }
      },
    ),
  );
});
