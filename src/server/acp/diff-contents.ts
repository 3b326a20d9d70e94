import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

/**
 * The hunks of a unified diff, each as what was and what is: an editor shows them as changes.
 * `path` is absolute.
 */
export function diffContents(path: string, diff: string): readonly ToolCallContent[] {
  const hunks: { old: string[]; new: string[]; startsAtNothing: boolean }[] = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (head !== null) {
      hunks.push({ old: [], new: [], startsAtNothing: head[2] === "0" && head[1] === "0" });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined || line.startsWith("\\")) continue;
    if (line.startsWith("-")) hunk.old.push(line.slice(1));
    else if (line.startsWith("+")) hunk.new.push(line.slice(1));
    else if (line.startsWith(" ")) {
      hunk.old.push(line.slice(1));
      hunk.new.push(line.slice(1));
    }
  }
  return hunks.map((hunk) => ({
    type: "diff",
    path,
    oldText: hunk.startsAtNothing ? null : text(hunk.old),
    newText: text(hunk.new),
  }));
}

/** The line of the file, as it is now, in which the first change begins; from 1. */
export function firstChangedLine(diff: string): number | undefined {
  const lines = diff.split("\n");
  const at = lines.findIndex((line) => line.startsWith("@@"));
  const start = /\+(\d+)/.exec(lines[at] ?? "")?.[1];
  if (start === undefined) return undefined;
  const body = lines.slice(at + 1);
  const before = body.findIndex((line) => line.startsWith("+") || line.startsWith("-"));
  return Math.max(1, Number(start) + Math.max(0, before));
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
