/** Prints rows under a header, with columns aligned and numbers right-aligned. */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const lines = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const [index, line] of lines.entries()) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join("  ")}\n`);
    if (index === 0)
      process.stdout.write(`${widths.map((width) => "-".repeat(width)).join("  ")}\n`);
  }
}

export const percent = (share: number): string => (100 * share).toFixed(2);
