/** How it stands with a chained log, in a sentence. */
export function sumOf(count: number, problem: string | undefined): string {
  const entries = count === 1 ? "1 entry" : `${count} entries`;
  if (problem !== undefined) return `✗ ${entries} hold, and no more: ${problem}`;
  return count === 0 ? "Nothing is noted here yet." : `✓ ${entries}, and the chain holds.`;
}
