import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { facts } from "../../facts/fact.table.ts";
import { episodeId } from "../../input/item-ids.ts";

const MAX_STEPS = 20;

/**
 * Finds passages whose extracted statement was superseded, with the episode that replaces it.
 * Readers must not treat their text as valid.
 */
export async function findSupersededPassages(
  tx: Tx,
  passages: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (passages.length === 0) return new Map();
  const former = await tx
    .select({ passage: episodes.sourceRef, by: facts.supersededBy })
    .from(episodes)
    .innerJoin(facts, eq(facts.episodeId, episodes.id))
    .where(
      and(
        inArray(episodes.sourceRef, [...passages]),
        isNull(episodes.deletedAt),
        isNotNull(facts.supersededBy),
      ),
    )
    .orderBy(episodes.id);
  const holding = await followed(
    tx,
    former.flatMap(({ by }) => by ?? []),
  );
  return new Map(
    former.flatMap(({ passage, by }) => {
      const episode = by === null ? undefined : holding.get(by);
      return passage === null || episode === undefined
        ? []
        : [[passage, episodeId(episode)] as const];
    }),
  );
}

async function followed(tx: Tx, winners: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const last = new Map(winners.map((winner) => [winner, winner]));
  const found = new Map<number, number>();
  for (let step = 0; step < MAX_STEPS && last.size > 0; step++) {
    const rows = await tx
      .select({ id: facts.id, episodeId: facts.episodeId, by: facts.supersededBy })
      .from(facts)
      .where(inArray(facts.id, [...new Set(last.values())]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [winner, at] of last) {
      const row = byId.get(at);
      if (row !== undefined) found.set(winner, row.episodeId);
      if (row === undefined || row.by === null) last.delete(winner);
      else last.set(winner, row.by);
    }
  }
  return found;
}
