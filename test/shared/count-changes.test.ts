import { expect, it } from "vitest";
import { countChanges } from "../../src/shared/text.ts";

const FILE = ["--- a/x.sql", "+++ b/x.sql", "@@ -1,2 +1,2 @@"];

it("counts the lines of each file of a diff, and none of its headers", () => {
  const diff = [...FILE, "-one", "+two", "+three", " same", ...FILE, "-four", ""].join("\n");
  expect(countChanges(diff)).toEqual({ added: 2, removed: 2 });
});

it("counts lines that look like headers", () => {
  const diff = [...FILE, "--- a comment of SQL", "+++ counter", " same", ""].join("\n");
  expect(countChanges(diff)).toEqual({ added: 1, removed: 1 });
});

it("counts nothing where there are only headers", () => {
  const diff = "--- a/x\n+++ b/x\n(the whole file changed)\n";
  expect(countChanges(diff)).toEqual({ added: 0, removed: 0 });
});
