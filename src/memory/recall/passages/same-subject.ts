import type { Tx } from "../../../database/index.ts";
import { rarestOf, termsOf } from "../../search/match-texts.ts";
import { queryWords } from "../../search/query-words.ts";
import type { UnitPassage } from "./load-units.ts";
import type { PassageScope } from "./passage-scope.ts";
import { rankUnits } from "./rank-units.ts";
import { proseOf, settledPassages } from "./settled.ts";

/** Units that hold so much of the words by which another was settled are about the same. */
const SAME_FROM = 0.3;
/** More than a few speak of so common a subject that they are not one. */
const MOST_OF_A_SUBJECT = 3;

/** The other units that are about the same subject, the likest first. */
export async function sameSubject(
  tx: Tx,
  scope: PassageScope,
  of: { readonly unit: number; readonly passages: readonly UnitPassage[] },
): Promise<{ readonly unit: number; readonly likeness: number }[]> {
  const likeness = await likenessTo(tx, scope, of);
  return Array.from(likeness, ([unit, share]) => ({ unit, likeness: share }))
    .filter(({ unit, likeness: share }) => unit !== of.unit && share >= SAME_FROM)
    .sort((a, b) => b.likeness - a.likeness || b.unit - a.unit)
    .slice(0, MOST_OF_A_SUBJECT);
}

/** Characters of what was settled that are compared. */
const COMPARED = 1500;
/** A subject is known again by its rarest words; what stands in more rows is of many subjects. */
const ROWS_OF_A_SUBJECT = 400;

/**
 * How much of the words by which a unit was settled other units hold, as a share of its own, 0..1.
 * Whatever amends a decision later speaks of it in its own words, and may share few with a question.
 */
export async function likenessTo(
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
