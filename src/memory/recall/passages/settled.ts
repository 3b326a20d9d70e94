import type { UnitPassage } from "./load-units.ts";

/** Shorter than this an answer settles nothing: it says that something is being done. */
const SHORTEST_CLOSING = 80;
/** Words of a person that are so short say little without the answer that repeats them. */
const SHORT_WORDS = 40;

/**
 * The passages of a unit that say how it was settled, the most telling first: the last thing that
 * the assistant summed up, then the person's own words from the end, short ones with the answer that
 * says what they mean. A commit or a section is what it says.
 */
export function settledPassages(unit: readonly UnitPassage[]): readonly UnitPassage[] {
  const closing = unit.findLast((passage) => isAnswer(passage));
  const settled = new Set<UnitPassage>(closing === undefined ? [] : [closing]);
  for (const [place, passage] of [...unit.entries()].reverse()) {
    const { role, by, text } = passage;
    if (role === "commit" || role === "section") settled.add(passage);
    if (role !== "turn" || by !== "user") continue;
    const isShort = proseOf(text).length < SHORT_WORDS;
    const answer = isShort ? unit.slice(place + 1).find(isAnswer) : undefined;
    // Who agrees at the end says nothing that is not said yet.
    if (isShort && answer === undefined && closing !== undefined) continue;
    settled.add(passage);
    if (answer !== undefined) settled.add(answer);
  }
  return [...settled];
}

function isAnswer({ role, by, text }: UnitPassage): boolean {
  return role === "turn" && by !== "user" && proseOf(text).length >= SHORTEST_CLOSING;
}

/** What is said, without the code and the output that stand between. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
