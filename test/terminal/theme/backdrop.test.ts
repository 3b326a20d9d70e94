import { expect, it } from "vitest";
import { choosePaint, readBackdrop } from "../../../src/terminal/theme/paint.ts";

it.each([
  ["11;rgb:ffff/ffff/ffff", "light"],
  ["11;rgb:fdf6/e3e3/d5d5", "light"],
  ["11;rgb:00/2b/36", "dark"],
  ["11;rgba:0000/0000/0000/ffff", "dark"],
  ["11;rgb:0000/ffff/0000", "light"],
  ["10;rgb:ffff/ffff/ffff", undefined],
  ["11;white", undefined],
])("%s is %s", (answer, backdrop) => {
  expect(readBackdrop(answer)).toBe(backdrop);
});

it("prefers NO_COLOR, then theme, terminal response, environment", () => {
  const rich = { isOff: false, isRich: true };
  expect(choosePaint(rich, "auto")).toBe("dark");
  expect(choosePaint({ ...rich, background: "light" }, "auto")).toBe("light");
  expect(choosePaint({ ...rich, background: "light" }, "auto", "dark")).toBe("dark");
  expect(choosePaint(rich, "dark", "light")).toBe("dark");
  expect(choosePaint({ isOff: false, isRich: false }, "auto", "light")).toBe("color");
  expect(choosePaint({ isOff: true, isRich: true }, "light", "light")).toBe("mono");
});
