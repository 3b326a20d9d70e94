import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "../../scripts/reference/pages.ts";

it.each(pages)("$file says what the code says", async ({ file, render }) => {
  expect(readFileSync(file, "utf8"), "run: npm run docs").toBe(await render());
});
