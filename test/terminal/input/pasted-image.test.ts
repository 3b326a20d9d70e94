import { homedir } from "node:os";
import { expect, it } from "vitest";
import { pastedImage } from "../../../src/terminal/state/press-key.ts";

it.each([
  ["/tmp/a.png", "/tmp/a.png"],
  [" /tmp/a.JPEG\n", "/tmp/a.JPEG"],
  ["'/tmp/a b.png'", "/tmp/a b.png"],
  ['"/tmp/a b.gif"', "/tmp/a b.gif"],
  ["/tmp/a\\ b\\(1\\).webp", "/tmp/a b(1).webp"],
  ["file:///tmp/a%20b.png", "/tmp/a b.png"],
  ["~/a.png", `${homedir()}/a.png`],
  ["a.png", undefined],
  ["look at /tmp/a.png", undefined],
  ["/tmp/a.png\n/tmp/b.png", undefined],
  ["/tmp/a.txt", undefined],
  ["file://host/a.png", undefined],
  ["/tmp/a b.png", undefined],
])("parses %j as the file %s", (text, file) => {
  expect(pastedImage(text)).toBe(file);
});
