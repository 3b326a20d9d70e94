import { and, desc, eq, isNull, ne } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import type { ConceptRow } from "../concepts/concept.queries.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts, relations } from "../concepts/concept.table.ts";
import type { Wordings } from "../learned/wording.ts";
import { wordingHash } from "../proposals/claim.ts";

const MOST = 5_000;
/** The relation by which somebody said that two concepts are not one. */
const DIFFERENT = "different_from";

/** Concepts of one type whose titles say the same. */
export interface NearConcepts {
  /** The best-founded, which stays, first. */
  readonly concepts: readonly [ConceptRow, ...ConceptRow[]];
  /** Their summaries are the same as well. */
  readonly isSure: boolean;
}

/**
 * Of the best-founded concepts, without those that somebody told apart; clusters of facts are made and
 * merged by their facts.
 */
export async function nearConcepts(tx: Tx, wordings: Wordings): Promise<NearConcepts[]> {
  const rows = await tx
    .select()
    .from(concepts)
    .where(and(isNull(concepts.deletedAt), ne(concepts.type, FACT_CLUSTER)))
    .orderBy(desc(concepts.confidence), desc(concepts.instanceCount), concepts.id)
    .limit(MOST);
  const named = rows.flatMap((row) => {
    const words = wordings.words(row.title).join(" ");
    return words === "" ? [] : [{ row, key: `${row.type} ${words}` }];
  });
  const byTitle = groupBy(named, ({ key }) => key);
  const told = await tx.select().from(relations).where(eq(relations.type, DIFFERENT));
  const apart = new Set(told.flatMap((one) => bothWays(one.sourceId, one.targetId)));
  return [...byTitle.values()].flatMap((group): NearConcepts[] => {
    const [first, ...rest] = group.map(({ row }) => row);
    const others = rest.filter(({ id }) => !apart.has(`${first?.id} ${id}`));
    if (first === undefined || others.length === 0) return [];
    const said = new Set([first, ...others].map(({ summary }) => wordingHash(summary)));
    return [{ concepts: [first, ...others], isSure: said.size === 1 }];
  });
}

const bothWays = (one: number, other: number) => [`${one} ${other}`, `${other} ${one}`];
