import { cutLine } from "../../shared/text.ts";
import { hashline } from "../edits/hash-line.ts";
import type { Line } from "../edits/split-lines.ts";
import type { AgentSettings } from "../settings.ts";

/** A minified file must not fill the context. */
const MAX_LINE_LENGTH = 2_000;
const MAX_CHARACTERS = 100_000;

export interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly count: number;
  readonly editMode: AgentSettings["editMode"];
}

export function showLines(
  lines: readonly Line[],
  range: LineRange,
): { readonly text: string; readonly shown: number } {
  if (lines.length === 0) return { text: "(the file is empty)", shown: 0 };
  if (range.first > lines.length) {
    return { text: `(the file has ${lines.length} lines)`, shown: 0 };
  }
  const requested = lines.slice(range.first - 1, range.first - 1 + range.count);
  const texts: string[] = [];
  let characters = 0;
  for (const [index, line] of requested.entries()) {
    const number = range.first + index;
    const text = range.editMode === "hashline" ? hashline(line.text, number) : line.text;
    const cut = cutLine(text, MAX_LINE_LENGTH);
    characters += cut.length + 1;
    if (characters > MAX_CHARACTERS && index > 0) break;
    texts.push(cut);
  }
  const next = range.first + texts.length;
  if (next <= lines.length) {
    texts.push(`(${lines.length - next + 1} more lines; continue with offset ${next})`);
    return { text: texts.join("\n"), shown: texts.length - 1 };
  }
  return { text: texts.join("\n"), shown: texts.length };
}
