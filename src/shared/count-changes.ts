/** How many lines a unified diff adds and removes. It may cover several files. */
export function countChanges(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  const changed = lines.filter((_, index) => !isHeader(lines, index));
  return {
    added: changed.filter((line) => line.startsWith("+")).length,
    removed: changed.filter((line) => line.startsWith("-")).length,
  };
}

/** Whether the line is a file name of the diff. A removed line `-- x` and an added line `++ x` look alike. */
function isHeader(lines: readonly string[], index: number): boolean {
  return startsFile(lines, index) || startsFile(lines, index - 1);
}

function startsFile(lines: readonly string[], index: number): boolean {
  const [old = "", fresh = "", hunk = ""] = index < 0 ? [] : lines.slice(index, index + 3);
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  return index === 0 || hunk.startsWith("@@ ");
}
