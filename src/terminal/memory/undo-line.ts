export function formatUndoLine(summary: string): string | undefined {
  const id = /\bep:\d+\b/.exec(summary)?.[0];
  return id === undefined ? undefined : `Remembered as ${id}. To undo: /forget ${id}`;
}
