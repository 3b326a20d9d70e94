import fc from "fast-check";
import { expect, it } from "vitest";
import { drawBar, drawSparkline } from "../../../src/cli/render/shapes/stats.ts";

const day = (start: string, count = 1) => ({ start, count });

it("groups by day, week or month to fit and drops the oldest", () => {
  expect(drawSparkline([], 10)).toBeUndefined();
  expect(drawSparkline([day("2026-03-30", 8), day("2026-04-01", 2)], 10)).toEqual({
    line: "█ ▂",
    unit: "day",
    from: "2026-03-30",
    to: "2026-04-01",
    maxCount: 8,
  });
  // A Sunday and the following Monday belong to different weeks.
  expect(
    drawSparkline([day("2026-03-01"), day("2026-03-29"), day("2026-03-30")], 10),
  ).toMatchObject({
    line: "█   ██",
    unit: "week",
  });
  const years = drawSparkline([day("2010-01-01", 99), day("2025-12-01"), day("2026-01-31")], 10);
  expect(years).toMatchObject({
    line: "        ██".trim().padStart(10),
    unit: "month",
    maxCount: 1,
  });
});

it("never exceeds the width and shows every nonzero count", () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(days, fc.integer({ min: 8, max: 60 }), (numbers, width) => {
      const sorted = [...numbers].sort((a, b) => a - b);
      const drawn = drawSparkline(
        sorted.map((number) => day(new Date(number * 86_400_000).toISOString().slice(0, 10))),
        width,
      );
      expect(drawn?.line.length).toBeLessThanOrEqual(width);
      expect(drawn?.line.at(-1)).not.toBe(" ");
    }),
  );
  expect([drawBar(0, 10), drawBar(0.001, 10), drawBar(1, 10)]).toEqual(["", "▇", "▇".repeat(10)]);
});
