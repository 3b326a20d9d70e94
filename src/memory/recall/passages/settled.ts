import type { UnitPassage } from "./load-units.ts";

const SHORTEST_CLOSING = 80;
const SHORT_WORDS = 40;

/**
 * The passages of a unit that say how it was settled, most telling first: the assistant's last
 * summary, then the person's own words from the end, short ones with the answer that explains them.
 * A commit or a section is returned as it is.
 */
export function settledPassages(unit: readonly UnitPassage[]): readonly UnitPassage[] {
  const closing = unit.findLast((passage) => isAnswer(passage));
  const settled = new Set<UnitPassage>(closing === undefined ? [] : [closing]);
  for (const [place, passage] of [...unit.entries()].reverse()) {
    const { role, by, text } = passage;
    if (role === "commit" || role === "section") settled.add(passage);
    if (role !== "turn" || by !== "user") continue;
    const isShort = lengthOf(text) < SHORT_WORDS;
    const answer = isShort ? unit.slice(place + 1).find(isAnswer) : undefined;
    // A short agreement at the end adds nothing.
    if (isShort && answer === undefined && closing !== undefined) continue;
    settled.add(passage);
    if (answer !== undefined) settled.add(answer);
  }
  return [...settled];
}

function isAnswer({ role, by, text }: UnitPassage): boolean {
  return role === "turn" && by !== "user" && lengthOf(text) >= SHORTEST_CLOSING;
}

const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;

function lengthOf(text: string): number {
  const prose = proseOf(text);
  return prose.length + 2 * (prose.match(DENSE)?.length ?? 0);
}

/** The prose of a message, without code and output. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
