import { describe, expect, it } from "vitest";
import { findNamedDates } from "../../../../src/memory/recall/dates/named-dates.ts";
import { formatPeriod } from "./shown-periods.ts";

function datesOf(text: string): string[] {
  return findNamedDates(text).map(({ year, inYear }) => {
    const period = inYear(year ?? 2025);
    if (period === undefined) throw new Error(`${text} is a date of no calendar.`);
    return `${year === undefined ? "any year, " : ""}${formatPeriod(period)}`;
  });
}

describe("dates that a text names", () => {
  it.each([
    ["on 7 July 2023", "2023-07-07"],
    ["on July 7th, 2023", "2023-07-07"],
    ["on the 7th of July, 2023", "2023-07-07"],
    ["Dec 1,2023", "2023-12-01"],
    ["2023-07-07", "2023-07-07"],
    ["at 2023-07-07T10:00:00Z", "2023-07-07"],
    ["2023/07/07", "2023-07-07"],
    ["am 07.05.2023", "2023-05-07"],
    ["in May 2023", "2023-05-01..2023-05-31"],
    ["2024-02", "2024-02-01..2024-02-29"],
    ["in 2023", "2023-01-01..2023-12-31"],
    ["summer 2021", "2021-06-01..2021-08-31"],
    ["in the winter of 2021", "2021-12-01..2022-02-28"],
    ["on 7 July", "any year, 2025-07-07"],
    ["in july", "any year, 2025-07-01..2025-07-31"],
  ])("reads %j", (text, date) => {
    expect(datesOf(text)).toEqual([date]);
  });

  it.each([
    ["in the first week of June 2023", "2023-06-01..2023-06-07"],
    ["in the second week of November 2023", "2023-11-08..2023-11-14"],
    ["in the last week of June 2023", "2023-06-24..2023-06-30"],
    ["the first half of September 2022", "2022-09-01..2022-09-15"],
    ["the second half of 2022", "2022-07-03..2022-12-31"],
    ["at the beginning of November 2022", "2022-11-01..2022-11-10"],
    ["mid-June 2023", "2023-06-11..2023-06-20"],
    ["late June 2023", "2023-06-21..2023-06-30"],
  ])("reads the part that %j means", (text, date) => {
    expect(datesOf(text)).toEqual([date]);
  });

  it.each([
    ["am 7. Juli 2023", "2023-07-07"],
    ["7 de julio de 2023", "2023-07-07"],
    ["le 1er août 2023", "2023-08-01"],
    ["toukokuussa 2023", "2023-05-01..2023-05-31"],
    ["7 мая 2023", "2023-05-07"],
    ["15 Mart 2024", "2024-03-15"],
    ["Mayıs'ta", "any year, 2025-05-01..2025-05-31"],
    ["2023年5月7日", "2023-05-07"],
    ["十二月", "any year, 2025-12-01..2025-12-31"],
    ["2023년 5월", "2023-05-01..2023-05-31"],
    ["7 พฤษภาคม 2566", "2023-05-07"],
  ])("reads %j in its language", (text, date) => {
    expect(datesOf(text)).toEqual([date]);
  });

  it("takes the day and the month of slashes in either order", () => {
    expect(datesOf("5/7/2023")).toEqual(["2023-07-05", "2023-05-07"]);
    expect(datesOf("25/7/2023")).toEqual(["2023-07-25"]);
    expect(datesOf("7/7/2023")).toEqual(["2023-07-07"]);
  });

  it.each([
    "may I march on?",
    "error 2023",
    "v1.2.2023",
    "30.02.2024",
    "Jan is here",
    "2023 users",
    "192.168.20.24",
    "Maybe",
    "",
  ])("finds none in %j", (text) => {
    expect(datesOf(text)).toEqual([]);
  });

  it("finds each date at its position", () => {
    const text = "between 11 August and 15 August 2023";
    const places = findNamedDates(text).map(({ start, end }) => text.slice(start, end));
    expect(places).toEqual(["11 August", "15 August 2023"]);
  });

  it("knows a day that only leap years have", () => {
    const [date] = findNamedDates("on 29 February");
    expect(date?.inYear(2023)).toBeUndefined();
    expect(date?.inYear(2024)).toBeDefined();
  });
});
