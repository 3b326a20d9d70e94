import type { Held } from "../learned/held-episodes.ts";
import type { Wordings } from "../learned/wording.ts";
import { Words } from "./words.ts";

/** A statement, with what it is about. */
export interface Statement extends Held {
  /** Numbers of the entities that it mentions. */
  readonly entities: readonly number[];
}

/** Two statements of which the later says what the earlier said. */
export interface SaidTwice {
  readonly later: Statement;
  readonly earlier: Statement;
  /** Equal but for words that carry nothing; else a person has to look at them. */
  readonly isSure: boolean;
}

/** Of a word that stands in more statements, those that share it are not held against each other. */
const MOST_WITH_A_WORD = 200;
/** Share of the words of two statements that both have, from which on a person is asked. */
const NEAR = 0.75;

/** Pairs that say the same, the latest first; each earlier one at most once. */
export function saidTwice(statements: readonly Statement[], wordings: Wordings): SaidTwice[] {
  const known = statements
    .toSorted((a, b) => a.at.localeCompare(b.at) || a.number - b.number)
    .map((statement) => ({ statement, words: new Words(statement.content, wordings) }));
  const byWord = new Map<string, number[]>();
  const pairs: SaidTwice[] = [];
  for (const [place, { statement, words }] of known.entries()) {
    const shared = new Map<number, number>();
    for (const at of [...words.affirmed].flatMap((word) => byWord.get(word) ?? [])) {
      shared.set(at, (shared.get(at) ?? 0) + 1);
    }
    for (const [at, count] of shared) {
      if (count < words.affirmed.size * NEAR) continue;
      const earlier = known[at];
      if (earlier === undefined || earlier.statement.type !== statement.type) continue;
      const nearness = words.nearnessTo(earlier.words);
      if (nearness < NEAR) continue;
      const keepsEntities = earlier.statement.entities.every((one) =>
        statement.entities.includes(one),
      );
      const isSure = keepsEntities && words.equals(earlier.words);
      pairs.push({ later: statement, earlier: earlier.statement, isSure });
    }
    for (const word of words.affirmed) {
      const places = byWord.get(word) ?? [];
      if (places.length < MOST_WITH_A_WORD) byWord.set(word, [...places, place]);
    }
  }
  return latestOfEach(pairs);
}

/** What was said three times is replaced once, by what was said last; what is sure goes first. */
function latestOfEach(pairs: readonly SaidTwice[]): SaidTwice[] {
  const paired = new Set<number>();
  const isFree = ({ earlier }: SaidTwice) => {
    if (paired.has(earlier.number)) return false;
    paired.add(earlier.number);
    return true;
  };
  const latest = pairs.toReversed();
  const sure = latest.filter(({ isSure }) => isSure).filter(isFree);
  const near = latest
    .filter(({ isSure, later }) => !isSure && !paired.has(later.number))
    .filter(isFree);
  return [...sure, ...near];
}
