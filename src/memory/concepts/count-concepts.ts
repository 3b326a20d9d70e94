import { count } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadTotals, sumOf, sumTotals } from "../totals.ts";
import { type ConceptFilter, conceptCondition } from "./concept.queries.ts";
import { concepts } from "./concept.table.ts";

/** Number of concepts pass: by totals where nothing but their state or topic is asked for. */
export async function countConcepts(tx: Tx, filter: ConceptFilter): Promise<number> {
  return (await countByTotals(tx, filter)) ?? countOneByOne(tx, filter);
}

async function countByTotals(tx: Tx, filter: ConceptFilter): Promise<number | undefined> {
  const { passes, topicId, deleted = false } = filter;
  if (passes !== undefined) return undefined;
  if (topicId === undefined) {
    const totals = await loadTotals(tx, { kinds: ["concepts"] });
    return sumOf(totals.filter(({ part }) => (part === "deleted") === deleted));
  }
  return deleted ? undefined : sumTotals(tx, { kinds: ["concepts_of_topic"], names: [topicId] });
}

async function countOneByOne(tx: Tx, filter: ConceptFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(concepts).where(conceptCondition(filter));
  return row?.total ?? 0;
}
