import { diffChars } from "diff";

export interface Reading {
  readonly wanted: string;
  readonly replacement: string;
}

export interface Replacement {
  /** Offsets in the plain text; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /**
   * What the model took the part for, of the same length, where it differs from what is there: only
   * what `text` changes in it is then changed in the file.
   */
  readonly takenFor?: string;
}

/** Texts above this are replaced in one piece; characters. */
const MAX_COMPARED = 20_000;
const MAX_COMPARE_MS = 500;

export function alignedReplacement(plain: string, match: Replacement): readonly Replacement[] {
  const there = plain.slice(match.from, match.to);
  const takenFor = match.takenFor ?? there;
  if (match.takenFor === undefined || takenFor.length > MAX_COMPARED)
    return [trimmed(there, match)];
  const changes = diffChars(takenFor, match.text, { timeout: MAX_COMPARE_MS });
  if (changes === undefined) return [match];
  const pieces: Replacement[] = [];
  let at = match.from;
  for (const change of changes) {
    if (change.added) pieces.push({ from: at, to: at, text: change.value });
    else {
      const to = at + change.value.length;
      if (change.removed) pieces.push({ from: at, to, text: "" });
      at = to;
    }
  }
  return pieces;
}

/** Without the beginning and the end that both have. */
function trimmed(there: string, { from, to, text }: Replacement): Replacement {
  const shorter = Math.min(there.length, text.length);
  let head = 0;
  while (head < shorter && there[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && there.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) };
}
