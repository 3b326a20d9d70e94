import { writeFile } from "node:fs/promises";
import { pages } from "./reference/pages.ts";

/** Writes what is derived from the registries: every page, or those whose files are named. */
const named = process.argv.slice(2);
for (const { file, render } of pages) {
  if (named.length === 0 || named.includes(file)) await writeFile(file, await render());
}
