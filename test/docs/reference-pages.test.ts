import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cliReference } from "../../scripts/reference/cli.ts";
import { pages } from "../../scripts/reference/pages.ts";

it.each(pages)("$file says what the code says", async ({ file, render }) => {
  expect(readFileSync(file, "utf8"), "run: npm run docs").toBe(await render());
});

it("says of every argument and option of a command what it is", async () => {
  const page = await cliReference();
  const rows = page.split("\n").filter((row) => /^\| `/.test(row));
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter((row) => /^\| `[^`]+` \|\s*(?:\([^)]*\)\s*)*\|$/.test(row))).toEqual([]);
});
