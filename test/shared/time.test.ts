import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAge, parseTimestamp } from "../../src/shared/time.ts";

describe("timestamps", () => {
  it.each([
    ["2026-03-31T10:30:15.250Z", "2026-03-31T10:30:15.250Z"],
    ["2026-03-31T10:30", "2026-03-31T10:30:00.000Z"],
    ["2026-03-31T10:30:15.5", "2026-03-31T10:30:15.500Z"],
    ["2026-03-31T10:30:15.123456+00:00", "2026-03-31T10:30:15.123Z"],
    ["2026-03-31T00:30:00+02:00", "2026-03-30T22:30:00.000Z"],
    ["2026-12-31T23:30:00-0130", "2027-01-01T01:00:00.000Z"],
    ["2024-02-29T00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0050-01-01T00:00Z", "0050-01-01T00:00:00.000Z"],
  ])("reads %s", (text, expected) => {
    expect(parseTimestamp(text, "start")).toBe(expected);
    expect(parseTimestamp(text, "end")).toBe(expected);
  });

  it("interprets a plain date as the requested end of day", () => {
    expect(parseTimestamp("2026-03-31", "start")).toBe("2026-03-31T00:00:00.000Z");
    expect(parseTimestamp("2026-03-31", "end")).toBe("2026-03-31T23:59:59.999Z");
  });

  it.each([
    "2026-02-30",
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31T10:00Z",
    "2026-01-00",
  ])("rejects the nonexistent %s", (text) => {
    expect(() => parseTimestamp(text, "start")).toThrow(/existing date/);
  });

  it.each([
    "",
    "yesterday",
    "2026",
    "2026-1-1",
    "20260101",
    " 2026-01-01",
    "2026-01-01 ",
    "2026-01-01\n",
    "2026-01-01T",
    "2026-01-01T24:00",
    "2026-01-01T10:60",
    "2026-01-01T10:30:60",
    "2026-01-01T1:30",
    "2026-01-01 10:30",
    "2026-01-01T10:30z",
    "2026-01-01T10:30+24:00",
    "2026-01-01T10:30+2",
    "2026-01-01Z",
    "1767225600000",
    "٢٠٢٦-01-01",
  ])("rejects %j as a time", (text) => {
    expect(() => parseTimestamp(text, "start")).toThrow(/ISO date or datetime/);
  });

  it("stays within years of four digits", () => {
    expect(() => parseTimestamp("9999-12-31T23:00-02:00", "end")).toThrow(/0000 and 9999/);
    expect(() => parseTimestamp("0000-01-01T00:00+02:00", "end")).toThrow(/0000 and 9999/);
  });

  it("reads back every timestamp that it writes", () => {
    const min = new Date("0000-01-01T00:00:00Z");
    const max = new Date("9999-12-31T23:59:59.999Z");
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString(), "end")).toBe(date.toISOString());
      }),
    );
  });
});

describe("age", () => {
  const now = new Date("2026-03-31T12:00:00Z");
  it.each([
    ["2026-03-31T11:59:30Z", "just now"],
    ["2026-03-31T11:57:00Z", "3 min ago"],
    ["2026-03-31T09:30:00Z", "2 h ago"],
    ["2026-03-30T12:00:00Z", "1 day ago"],
    ["2026-03-01T12:00:00Z", "30 days ago"],
    ["2025-12-25T12:00:00Z", "3 months ago"],
    ["2020-03-31T12:00:00Z", "5 years ago"],
    ["2026-03-31T12:05:30Z", "in 5 min"],
  ])("formats the age of %s", (timestamp, age) => {
    expect(formatAge(timestamp, now)).toBe(age);
  });
});
