import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderCli } from "../../scripts/reference/cli.ts";
import { pages } from "../../scripts/reference/pages.ts";

it.each(pages)("$file matches the code", async ({ file, render }) => {
  expect(readFileSync(file, "utf8"), "run: npm run docs").toBe(await render());
});

it("describes every argument and option of a command", async () => {
  const page = await renderCli();
  const rows = page.split("\n").filter((row) => /^\| `/.test(row));
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter((row) => /^\| `[^`]+` \|\s*(?:\([^)]*\)\s*)*\|$/.test(row))).toEqual([]);
});
