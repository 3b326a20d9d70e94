import type { Color, Line } from "../text/style.ts";
import { wrapText } from "../text/wrap.ts";

/** Rows of a unified diff; file names are left out, the card above names the file. */
export function drawDiff(diff: string, width: number): readonly Line[] {
  const gutter = gutterWidth(diff);
  let oldLine = 0;
  let newLine = 0;
  const lines: Line[] = [];
  for (const text of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (hunk !== null) {
      if (newLine > 0) lines.push([{ text: `${" ".repeat(gutter)} ⋯`, style: { color: "gray" } }]);
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      continue;
    }
    if (newLine === 0) continue;
    const sign = text[0] ?? " ";
    const number = sign === "-" ? oldLine : newLine;
    if (sign !== "+" && sign !== "\\") oldLine += 1;
    if (sign !== "-" && sign !== "\\") newLine += 1;
    lines.push(...drawDiffLine(text, { number, gutter, width }));
  }
  return lines;
}

/** `+3 -1`: how many lines a diff adds and removes. */
export function countChanges(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const line of diff.split("\n")) {
    if (line.startsWith("+") && !line.startsWith("+++ ")) added += 1;
    if (line.startsWith("-") && !line.startsWith("--- ")) removed += 1;
  }
  return { added, removed };
}

const SIGN_COLORS: Readonly<Record<string, Color>> = { "+": "green", "-": "red", "\\": "gray" };

function drawDiffLine(
  text: string,
  { number, gutter, width }: { number: number; gutter: number; width: number },
): readonly Line[] {
  const sign = text[0] ?? " ";
  const color = SIGN_COLORS[sign];
  const label = sign === "\\" ? "" : String(number);
  const first: Line = [
    { text: `${label.padStart(gutter)} `, style: { color: "gray" } },
    { text: `${sign} `, style: color === undefined ? {} : { color } },
  ];
  return wrapText(text.slice(1), { width, first, style: color === undefined ? {} : { color } });
}

function gutterWidth(diff: string): number {
  const highest = Array.from(diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/gm), (hunk) =>
    Math.max(Number(hunk[1]) + Number(hunk[2] ?? 1), Number(hunk[3]) + Number(hunk[4] ?? 1)),
  );
  return String(Math.max(1, ...highest)).length;
}
