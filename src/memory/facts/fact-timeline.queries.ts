import { and, asc, desc, eq, isNull, or, sql } from "drizzle-orm";
import { numberSet, type Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "./fact.table.ts";

export async function loadFactsOfEntity(tx: Tx, entityNumber: number): Promise<number[]> {
  const rows = await tx
    .select({ id: facts.id })
    .from(episodeEntities)
    .innerJoin(facts, eq(facts.episodeId, episodeEntities.episodeId))
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(episodeEntities.entityId, entityNumber), isNull(episodes.deletedAt)))
    .orderBy(asc(facts.validFrom), asc(facts.id));
  return rows.map((row) => row.id);
}

export async function loadConflictsOfFacts(tx: Tx, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await tx
    .select({ id: conflicts.id })
    .from(conflicts)
    .where(
      or(
        sql`${conflicts.factA} in (${numberSet(numbers)})`,
        sql`${conflicts.factB} in (${numberSet(numbers)})`,
      ),
    )
    .orderBy(desc(conflicts.id));
  return rows.map((row) => row.id);
}
