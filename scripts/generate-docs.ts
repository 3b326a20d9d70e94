import { writeFile } from "node:fs/promises";
import { pages } from "./reference/pages.ts";

/** Writes the generated files: all of them, or those named as arguments. */
const named = process.argv.slice(2);
for (const { file, render } of pages) {
  if (named.length === 0 || named.includes(file)) await writeFile(file, await render());
}
