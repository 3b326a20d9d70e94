import { cutLine } from "../../shared/text.ts";

/** What is compared at most: files times lines of the wanted text. */
const MAX_COMPARISONS = 2_000_000;
const LEAST_LIKENESS = 0.4;
const MAX_SHOWN = 24;
const AROUND = 1;
const MAX_LENGTH = 200;

/** The lines of a text that come nearest to those wanted, numbered; undefined: none is near. */
export function nearestLines(plain: string, wanted: string): string | undefined {
  const lines = plain.split("\n");
  const sought = wanted
    .split("\n")
    .map((line) => pairsOf(line))
    .filter((pairs) => pairs.size > 0);
  if (sought.length === 0 || lines.length * sought.length > MAX_COMPARISONS) return undefined;
  const pairs = lines.map(pairsOf);
  let best = { first: -1, likeness: 0 };
  for (let first = 0; first < lines.length; first += 1) {
    let sum = 0;
    for (const [offset, line] of sought.entries()) {
      const other = pairs[first + offset];
      if (other !== undefined) sum += likeness(line, other);
    }
    if (sum / sought.length > best.likeness) best = { first, likeness: sum / sought.length };
  }
  if (best.likeness < LEAST_LIKENESS) return nearestSingle(lines, pairs, sought);
  return show(lines, best.first - AROUND, best.first + sought.length + AROUND);
}

/** Where the lines are not there together, the one that comes nearest to any of them. */
function nearestSingle(
  lines: readonly string[],
  pairs: readonly ReadonlySet<string>[],
  sought: readonly ReadonlySet<string>[],
): string | undefined {
  const scores = pairs.map((line) => Math.max(...sought.map((other) => likeness(line, other))));
  const highest = scores.reduce((most, score) => Math.max(most, score), 0);
  if (highest < 2 * LEAST_LIKENESS) return undefined;
  const at = scores.indexOf(highest);
  return show(lines, at - 2 * AROUND, at + 1 + 2 * AROUND);
}

function show(lines: readonly string[], from: number, to: number): string {
  const first = Math.max(0, from);
  const shown = lines.slice(first, Math.min(to, first + MAX_SHOWN));
  return shown
    .map((line, offset) => `${first + offset + 1}|${cutLine(line, MAX_LENGTH)}`)
    .join("\n");
}

/** Neighbouring letters without blanks. */
function pairsOf(line: string): ReadonlySet<string> {
  const text = line
    .replace(/\s+/g, "")
    .slice(0, 2 * MAX_LENGTH)
    .toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  if (text.length === 1) pairs.add(text);
  return pairs;
}

/** Share of common pairs, 0 to 1 (Dice). */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}
