export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  /** Line number in the new file, or in the old one for a removed line; undefined for a gap. */
  readonly number: number | undefined;
}

export function diffLines(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null) {
      if (lines.length > 0) lines.push({ kind: "gap", text: "⋯", number: undefined });
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      continue;
    }
    if (after === 0 && before === 0) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "added", text, number: after++ });
    else if (line.startsWith("-")) lines.push({ kind: "removed", text, number: before++ });
    else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text, number: after++ });
      before += 1;
    }
  }
  return lines;
}
