import type { Tx } from "../../../database/index.ts";
import { rarestOf, termsOf } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import type { UnitPassage } from "./load-units.ts";
import type { PassageScope } from "./passage-scope.ts";
import { rankUnits } from "./rank-units.ts";
import { proseOf, settledPassages } from "./settled.ts";

/** A unit that contains this share of another's settling words has the same subject. */
const SAME_FROM = 0.3;
/** If more units than this are similar, the subject is too common to be one. */
const MAX_PER_SUBJECT = 3;

/** The other units with the same subject, most similar first. */
export async function sameSubject(
  tx: Tx,
  scope: PassageScope,
  of: { readonly unit: number; readonly passages: readonly UnitPassage[] },
): Promise<{ readonly unit: number; readonly likeness: number }[]> {
  const likeness = await similarityTo(tx, scope, of);
  return Array.from(likeness, ([unit, share]) => ({ unit, likeness: share }))
    .filter(({ unit, likeness: share }) => unit !== of.unit && share >= SAME_FROM)
    .sort((a, b) => b.likeness - a.likeness || b.unit - a.unit)
    .slice(0, MAX_PER_SUBJECT);
}

/** Number of characters of what was settled are compared. */
const COMPARED = 1500;
/**
 * A subject is recognised by its rarest words; a word in more rows than this is not one of them.
 */
const ROWS_OF_A_SUBJECT = 400;

/**
 * The share, 0..1, of a unit's settling words that other units contain. A later change to a
 * decision repeats the words of that decision, though it may share few words with a question.
 */
export async function similarityTo(
  tx: Tx,
  scope: PassageScope,
  { unit, passages }: { readonly unit: number; readonly passages: readonly UnitPassage[] },
): Promise<Map<number, number>> {
  const text = settledPassages(passages)
    .map(({ text: said }) => proseOf(said))
    .join("\n")
    .slice(0, COMPARED);
  const query = { kind: "passage", visible: scope, rows: ROWS_OF_A_SUBJECT } as const;
  const terms = rarestOf(await termsOf(tx, queryWords(text), query), query);
  const matches = await rankUnits(tx, terms, scope);
  const own = matches.get(unit)?.score ?? 0;
  if (own === 0) return new Map();
  return new Map(Array.from(matches, ([other, { score }]) => [other, score / own]));
}
