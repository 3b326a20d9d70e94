import { closest, distance } from "fastest-levenshtein";

/** The known name that a person most likely meant, or undefined when none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = given.toLowerCase();
  const contained = known.find((name) => lower.length >= 3 && name.includes(lower));
  const best = closest(lower, [...known]);
  const near = distance(lower, best) <= Math.max(2, Math.floor(best.length / 3));
  return near ? best : contained;
}

/** ` Did you mean "x"?`, or the list of what is known: the tail of an "unknown name" message. */
export function didYouMean(given: string, known: readonly string[]): string {
  const best = nearestName(given, known);
  if (best !== undefined) return ` Did you mean "${best}"?`;
  return known.length === 0 ? "" : ` Known: ${known.join(", ")}.`;
}

/** Whether a word is so near to a known name that it is a slip rather than another word. */
export function isSlipOf(given: string, known: readonly string[]): boolean {
  const best = known.length === 0 ? undefined : closest(given.toLowerCase(), [...known]);
  if (best === undefined) return false;
  const most = Math.min(given.length, best.length) >= 5 ? 2 : 1;
  return distance(given.toLowerCase(), best) <= most;
}
