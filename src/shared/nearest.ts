import { closest, distance } from "fastest-levenshtein";

/** Returns the most similar name, if any. */
export function nearestName(value: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = value.toLowerCase();
  const prefixMatch = lower.length < 3 ? known.find((name) => name.startsWith(lower)) : undefined;
  if (prefixMatch !== undefined) return prefixMatch;
  const contained = known.find((name) => lower.length >= 3 && name.includes(lower));
  const best = closest(lower, [...known]);
  return isNear(lower, best) ? best : contained;
}

/** True if at most a third of the letters differ; in short names, one replaced or two swapped. */
function isNear(value: string, name: string): boolean {
  const edits = distance(value, name);
  const letters = (word: string) => [...word].sort().join("");
  const few = Math.min(value.length, name.length) >= 5 ? 2 : 1;
  return (
    edits <= Math.max(few, Math.floor(name.length / 3)) ||
    (edits <= 2 && letters(value) === letters(name))
  );
}

export function didYouMean(value: string, known: readonly string[]): string {
  const best = nearestName(value, known);
  if (best === undefined && known.length > 0) return ` Known: ${known.join(", ")}.`;
  return nearestHint(value, known);
}

/** Returns ` Did you mean "x"?` or an empty string. */
export function nearestHint(value: string, known: readonly string[]): string {
  const best = nearestName(value, known);
  return best === undefined ? "" : ` Did you mean "${best}"?`;
}
