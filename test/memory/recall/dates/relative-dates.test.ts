import { describe, expect, it } from "vitest";
import { relativeDates } from "../../../../src/memory/recall/dates/relative-dates.ts";
import { day, formatPeriod } from "./shown-periods.ts";

const TODAY = day("2023-05-10");
const periodsOf = (text: string) => relativeDates(text, TODAY).periods.map(formatPeriod);

describe("dates relative to the day of the text", () => {
  it.each([
    ["I met her yesterday.", "2023-05-09"],
    ["We talked last night", "2023-05-09"],
    ["the day before yesterday", "2023-05-08"],
    ["It is tonight", "2023-05-10"],
    ["the day after tomorrow", "2023-05-12"],
    ["two days ago", "2023-05-08"],
    ["a week ago", "2023-04-30..2023-05-06"],
    ["a couple of weeks ago", "2023-04-23..2023-04-29"],
    ["3 months ago", "2023-02-01..2023-02-28"],
    ["5 years ago", "2018-01-01..2018-12-31"],
    ["last week", "2023-05-01..2023-05-07"],
    ["two weekends ago", "2023-04-29..2023-04-30"],
    ["Last weekend", "2023-05-06..2023-05-07"],
    ["this month", "2023-05-01..2023-05-31"],
    ["next month", "2023-06-01..2023-06-30"],
    ["last year", "2022-01-01..2022-12-31"],
    ["the past two weeks", "2023-04-23..2023-05-10"],
    ["last Friday", "2023-05-05"],
    ["last Wednesday", "2023-05-03"],
    ["on Wednesday", "2023-05-10"],
    ["next Friday", "2023-05-12"],
    ["last summer", "2022-06-01..2022-08-31"],
    ["last spring", "2022-03-01..2022-05-31"],
    ["next spring", "2024-03-01..2024-05-31"],
    ["this summer", "2023-06-01..2023-08-31"],
  ])("reads %j", (text, period) => {
    expect(periodsOf(text)).toEqual([period]);
  });

  it.each([
    "gestern",
    "avant-hier wäre falsch, hier",
    "ayer",
    "eilen",
    "вчера",
    "dün",
    "昨天",
    "昨日は",
    "어제",
    "เมื่อวาน",
  ])("reads %j", (text) => {
    expect(periodsOf(text)).toContain("2023-05-09");
  });

  it.each([
    ["letzte Woche", "2023-05-01..2023-05-07"],
    ["la semaine dernière", "2023-05-01..2023-05-07"],
    ["viime viikolla", "2023-05-01..2023-05-07"],
    ["el mes pasado", "2023-04-01..2023-04-30"],
    ["в прошлом месяце", "2023-04-01..2023-04-30"],
    ["上个月", "2023-04-01..2023-04-30"],
    ["geçen yıl", "2022-01-01..2022-12-31"],
    ["去年の夏", "2022-01-01..2022-12-31"],
    ["작년", "2022-01-01..2022-12-31"],
    ["ปีที่แล้ว", "2022-01-01..2022-12-31"],
  ])("reads %j in its language", (text, period) => {
    expect(periodsOf(text)).toEqual([period]);
  });

  it.each([
    "the first of the last",
    "Pontiac, forties, this",
    "a few good men",
    "todays",
    "on money",
    "",
  ])("finds none in %j", (text) => {
    expect(periodsOf(text)).toEqual([]);
  });

  it("returns the text without the dates", () => {
    const { rest } = relativeDates("what did Ada say last week?", TODAY);
    expect(rest.replace(/\s+/g, " ")).toBe("what did Ada say ?");
  });
});
