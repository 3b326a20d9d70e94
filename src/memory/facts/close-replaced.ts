import { and, eq, gt, isNull, ne } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { WriteContext } from "../context/write-context.ts";
import { facts } from "./fact.table.ts";

/**
 * Versions before 0.2 let a replaced fact end with the writing. Lets those facts end when their
 * successors began, where that is later than their own beginning. Answers with their numbers.
 */
export async function closeReplaced(context: WriteContext): Promise<number[]> {
  const { tx } = context;
  const winner = alias(facts, "winner");
  const found = await tx
    .select({ fact: facts, end: winner.validFrom })
    .from(facts)
    .innerJoin(winner, eq(winner.id, facts.supersededBy))
    .where(
      and(
        isNull(facts.supersededAt),
        gt(winner.validFrom, facts.validFrom),
        ne(winner.validFrom, facts.validTo),
      ),
    )
    .orderBy(facts.id);
  for (const { fact, end } of found) {
    await tx
      .update(facts)
      .set({ validTo: end, supersededAt: fact.validTo })
      .where(eq(facts.id, fact.id));
    context.touch("episode", fact.episodeId);
  }
  return found.map(({ fact }) => fact.id);
}
