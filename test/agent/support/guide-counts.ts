import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const GUIDE = resolve("docs/guides/permission-and-sandbox.md");
const CELLS = /(?<!\\)\|/;

/** What the guide's table of counts says in a row, by the head of the column. Throws where there is none. */
export function countsOfGuide(row: string): Readonly<Record<string, string>> {
  const lines = readFileSync(GUIDE, "utf8").split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${row}`));
  const heading = lines.slice(0, at).findLastIndex((line) => line.startsWith("| --- "));
  const [heads, cells] = [lines[heading - 1], lines[at]].map((line) =>
    (line ?? "").split(CELLS).map((cell) => cell.trim()),
  );
  if (at < 0 || heads === undefined || cells === undefined) {
    throw new Error(`${GUIDE} has no row "${row}".`);
  }
  return Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ""]));
}
