import { closest, distance } from "fastest-levenshtein";

/** The known name that a person most likely meant, or undefined when none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = given.toLowerCase();
  const contained = known.find((name) => lower.length >= 3 && name.includes(lower));
  const best = closest(lower, [...known]);
  return isNear(lower, best) ? best : contained;
}

/** A third of the letters at most are others; of a short name one is, or two have changed places. */
function isNear(given: string, name: string): boolean {
  const apart = distance(given, name);
  const letters = (word: string) => [...word].sort().join("");
  const few = Math.min(given.length, name.length) >= 5 ? 2 : 1;
  return (
    apart <= Math.max(few, Math.floor(name.length / 3)) ||
    (apart <= 2 && letters(given) === letters(name))
  );
}

/** ` Did you mean "x"?`, or the list of what is known: the tail of an "unknown name" message. */
export function didYouMean(given: string, known: readonly string[]): string {
  const best = nearestName(given, known);
  if (best === undefined && known.length > 0) return ` Known: ${known.join(", ")}.`;
  return nearestHint(given, known);
}

/** ` Did you mean "x"?`, or nothing: the tail of a message that has listed what is known. */
export function nearestHint(given: string, known: readonly string[]): string {
  const best = nearestName(given, known);
  return best === undefined ? "" : ` Did you mean "${best}"?`;
}

/** Whether a word is so near to a known name that it is a slip rather than another word. */
export function isSlipOf(given: string, known: readonly string[]): boolean {
  const best = known.length === 0 ? undefined : closest(given.toLowerCase(), [...known]);
  if (best === undefined) return false;
  const most = Math.min(given.length, best.length) >= 5 ? 2 : 1;
  return distance(given.toLowerCase(), best) <= most;
}
