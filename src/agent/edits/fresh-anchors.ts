import { cutLine } from "../../shared/text.ts";
import { hashline } from "./hash-line.ts";
import { splitLines } from "./split-lines.ts";

const MAX_OF_ONE = 40;
const MAX_LINES = 120;
const MAX_LENGTH = 500;

export function freshAnchors(after: string, diff: string): string {
  const lines = splitLines(after);
  const blocks: string[] = [];
  let left = MAX_LINES;
  for (const { first, count } of changedRanges(diff)) {
    const shown = Math.min(count, MAX_OF_ONE, left);
    left -= shown;
    if (shown <= 0) break;
    const head = count <= shown ? count : Math.ceil(shown / 2);
    const tail = shown - head;
    const middle = tail === 0 ? [] : [`[… ${count - shown} lines …]`];
    blocks.push(
      [...anchored(first, head), ...middle, ...anchored(first + count - tail, tail)].join("\n"),
    );
  }
  return blocks.join("\n--\n");

  function anchored(first: number, count: number): readonly string[] {
    return lines.slice(first - 1, first - 1 + count).map(({ text }, offset) => {
      const line = hashline(text, first + offset);
      return cutLine(line, MAX_LENGTH);
    });
  }
}

function changedRanges(
  diff: string,
): readonly { readonly first: number; readonly count: number }[] {
  return [...diff.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => ({
    first: Number(match[1]),
    count: Number(match[2] ?? 1),
  }));
}
