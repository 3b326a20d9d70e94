import type { ConsentItem } from "../state/screen.ts";
import type { Line } from "../text/style.ts";
import { expandTabs, takeColumns } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";

const INDENT = "  ";

/** A call that waits for consent: every character of it, whatever it means elsewhere. */
export function drawConsent(
  { head, subject, why, isLong }: ConsentItem,
  width: number,
): readonly Line[] {
  const lines = subject.split("\n");
  const rows = lines.flatMap((line) => cut(expandTabs(line), Math.max(1, width - INDENT.length)));
  const below = `${head} All ${lines.length} lines of it stand above; Enter says no.`;
  return [
    ...wrapText(head, { width, style: { bold: true } }),
    ...rows.map((row): Line => [{ text: INDENT }, { text: row }]),
    ...(isLong ? wrapText(below, { width, style: { bold: true } }) : []),
    ...(why === "" ? [] : wrapText(why, { width })),
  ];
}

/** Into rows of a width, with every blank where it stands. */
function cut(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  do {
    const row = takeColumns(rest, width);
    // A character that is wider than the row takes one alone.
    const taken = row === "" ? (Array.from(rest)[0] ?? "") : row;
    rows.push(taken);
    rest = rest.slice(taken.length);
  } while (rest !== "");
  return rows;
}
