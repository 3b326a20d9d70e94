import { expect, it } from "vitest";
import { drawDiff } from "../../../src/terminal/cards/draw-tool-card.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";

const DIFF = [
  "--- a/x.ts",
  "+++ b/x.ts",
  "@@ -1,3 +1,3 @@",
  ' const a = "one";',
  "-const total = sum(prices);",
  "+const total = sum(prices, taxes);",
  " done();",
  "",
].join("\n");

const painted = (paint: "dark" | "light" | "color" | "mono" | "none", diff = DIFF) =>
  drawDiff(diff, 60).map((line) => paintLine(line, paint));

it("highlights changed words in each theme", () => {
  const [, removed, added] = painted("dark");
  expect(removed).toContain("\x1b[38;5;255;48;5;52mconst total = sum(prices");
  expect(added).toContain("\x1b[38;5;255;48;5;28m, taxes");
  expect(painted("light")[2]).toContain("\x1b[38;5;16;48;5;151m, taxes");
  expect(painted("color")[2]).toContain("\x1b[7;32m, taxes");
  expect(painted("mono")[2]).toContain("\x1b[7m, taxes");
});

it("highlights unchanged code", () => {
  expect(painted("color")[0]).toContain('\x1b[34mconst\x1b[0m a = \x1b[32m"one"');
});

it("is readable without colors", () => {
  expect(painted("none")).toEqual([
    '1   const a = "one";',
    "2 - const total = sum(prices);",
    "2 + const total = sum(prices, taxes);",
    "3   done();",
  ]);
});

it("highlights nothing if lines differ mostly or do not pair", () => {
  const other = DIFF.replace("+const total = sum(prices, taxes);", "+import { x } from 'y';");
  expect(painted("mono", other).join("")).not.toContain("\x1b[7m");
  const more = DIFF.replace("+const", "+let b;\n+const");
  expect(painted("mono", more).join("")).not.toContain("\x1b[7m");
});
