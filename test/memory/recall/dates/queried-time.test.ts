import { describe, expect, it } from "vitest";
import { singleDay } from "../../../../src/memory/recall/dates/period.ts";
import {
  parseQueriedTime,
  periodsAround,
  type QueriedTime,
  timeOverlap,
} from "../../../../src/memory/recall/dates/queried-time.ts";
import { day, formatPeriod } from "./shown-periods.ts";

const TODAY = day("2026-11-20");

function asked(query: string): QueriedTime {
  const time = parseQueriedTime(query, TODAY);
  if (time === undefined) throw new Error(`${query} names no time.`);
  return time;
}

const periodsOf = (query: string, around = "2023-08-01") =>
  periodsAround(asked(query), singleDay(day(around))).map(formatPeriod);

describe("the time in a query", () => {
  it.each([
    ["where was Ada between August 11 and August 15 2023?", "2023-08-11..2023-08-15"],
    ["from 1 May 2023 to 3 June 2023", "2023-05-01..2023-06-03"],
    ["the week before August 3, 2023", "2023-07-27..2023-08-02"],
    ["two weeks before August 11, 2023", "2023-07-25..2023-07-31"],
    ["on the Sunday before 25 October 2022", "2022-10-23"],
    ["the day after 31 May 2023", "2023-06-01"],
    ["in the month before May 2023", "2023-04-01..2023-04-30"],
    ["since 2023", "2023-01-01..9999-12-31"],
    ["by July 10, 2022", "0000-01-01..2022-07-10"],
    ["what did we decide yesterday?", "2026-11-19"],
  ])("%j is one period", (query, period) => {
    expect(periodsOf(query)).toEqual([period]);
  });

  it("applies to any year if none is named", () => {
    expect(periodsOf("what was in May?", "2021-05-05")).toEqual(["2021-05-01..2021-05-31"]);
    expect(periodsOf("what was in May?", "2022-01-05")).toEqual(["2022-05-01..2022-05-31"]);
  });

  it("is relative to a day named in the query", () => {
    expect(periodsOf("what was last week, as told on November 6, 2023?")).toEqual([
      "2023-11-06",
      "2023-10-30..2023-11-05",
    ]);
  });

  it("may be the whole query or a part of it", () => {
    expect(asked("what happened on 7 July 2023?").isAlone).toBe(true);
    expect(asked("what was it yesterday").isAlone).toBe(true);
    expect(asked("what did Ada say on 7 July 2023?").isAlone).toBe(false);
  });

  it("is searched only at the beginning of a long query", () => {
    const long = `in May 2023 ${"in 2023 ".repeat(50_000)}`;
    expect(asked(long).periods.length).toBeLessThan(500);
    expect(parseQueriedTime(`${"word ".repeat(50_000)} in May 2023`, TODAY)).toBeUndefined();
  });

  it.each(["where is the build cache?", "may I?", ""])("is none in %j", (query) => {
    expect(parseQueriedTime(query, TODAY)).toBeUndefined();
  });
});

describe("the overlap of an episode's time with the queried time", () => {
  const told = (at: string, text = "Hello.") => ({ at: `${at}T09:00:00.000Z`, text });

  it("is 1 on the episode's day and on the day it mentions", () => {
    const may7 = asked("who came on 7 May 2023?");
    expect(timeOverlap(may7, told("2023-05-07"))).toBe(1);
    expect(timeOverlap(may7, told("2023-05-08"))).toBe(0);
    expect(timeOverlap(may7, told("2023-05-08", "Ada came yesterday."))).toBe(1);
    expect(
      timeOverlap(asked("who came on 8 May?"), told("2023-05-08", "Ada came yesterday.")),
    ).toBe(1);
  });

  it("is 0 for a damaged timestamp", () => {
    expect(timeOverlap(asked("in May"), { at: "soon", text: "Yesterday." })).toBe(0);
  });

  it("is smaller if the episode covers a longer time", () => {
    const july = asked("what did we see in July 2022?");
    const share = timeOverlap(july, told("2023-05-08", "Last year we saw meteors."));
    expect(share).toBeCloseTo(31 / 365, 5);
  });
});
