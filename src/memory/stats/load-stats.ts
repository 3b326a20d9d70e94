import { count, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { rowsOf, type Tx } from "../../database/index.ts";
import { sharedSchema } from "../../kernel/shared-schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { countConflictsByStatus } from "../conflicts/conflict.queries.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { lastEventSeq } from "../events/event.queries.ts";
import { countFacts } from "../facts/fact.queries.ts";
import { countDistinctLabels } from "../labels/label.queries.ts";
import { topics } from "../topics/topic.table.ts";

const byName = z.record(z.string(), z.number().int());

/** Counts; deleted items are counted under `deleted` alone. */
export const statsRecord = sharedSchema(
  "Stats",
  z.object({
    episodes: z.object({
      total: z.number().int(),
      processed: z.number().int(),
      unprocessed: z.number().int(),
      deleted: z.number().int(),
      by_type: byName,
    }),
    concepts: z.object({ total: z.number().int(), deleted: z.number().int(), by_type: byName }),
    facts: z.object({ active: z.number().int(), superseded: z.number().int() }),
    conflicts: z.object({
      open: z.number().int(),
      resolved: z.number().int(),
      dismissed: z.number().int(),
    }),
    /** How much of memory was reviewed. */
    consolidation: z.object({
      pending: z.number().int(),
      processed: z.number().int(),
      /** Share of processed episodes, 0..1; 1 when there is none. */
      ratio: z.number(),
    }),
    relations: z.object({ total: z.number().int(), by_type: byName }),
    entities: z.number().int(),
    entity_relations: z.number().int(),
    labels: z.number().int(),
    topics: z.number().int(),
    /** Sequence number of the newest event. */
    last_seq: z.number().int(),
  }),
);

export type Stats = z.output<typeof statsRecord>;

/**
 * The same for the same memory state: nothing in it depends on the time or the file. Counts from
 * indexes alone, and takes off what is deleted, which is little: no text of any item is read.
 */
export async function loadStats(tx: Tx): Promise<Stats> {
  const types = await tx
    .select({ type: episodes.episodeType, processed: episodes.processed, total: count() })
    .from(episodes)
    .where(isNull(episodes.deletedAt))
    .groupBy(episodes.episodeType, episodes.processed)
    .orderBy(episodes.episodeType);
  const conceptTypes = await tx
    .select({ name: concepts.type, total: count() })
    .from(concepts)
    .where(isNull(concepts.deletedAt))
    .groupBy(concepts.type)
    .orderBy(concepts.type);
  const total = sum(types);
  const processed = sum(types.filter((row) => row.processed));
  return {
    episodes: {
      total,
      processed,
      unprocessed: total - processed,
      deleted: await countWhere(tx, episodes, isNotNull(episodes.deletedAt)),
      by_type: tally(types.map((row) => ({ name: row.type, total: row.total }))),
    },
    concepts: {
      total: sum(conceptTypes),
      deleted: await countWhere(tx, concepts, isNotNull(concepts.deletedAt)),
      by_type: tally(conceptTypes),
    },
    facts: await countFacts(tx),
    conflicts: await countConflictsByStatus(tx),
    consolidation: {
      pending: total - processed,
      processed,
      ratio: total === 0 ? 1 : processed / total,
    },
    relations: await relationTypes(tx),
    entities: await countWhere(tx, entities),
    entity_relations: await countWhere(tx, entityRelations),
    labels: await countDistinctLabels(tx),
    topics: await countWhere(tx, topics),
    last_seq: await lastEventSeq(tx),
  };
}

type Counted =
  | typeof episodes
  | typeof concepts
  | typeof entities
  | typeof entityRelations
  | typeof topics;

async function countWhere(tx: Tx, table: Counted, condition?: SQL): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(table).where(condition);
  return row?.total ?? 0;
}

/** Those between active concepts: all, without those of the deleted ones. */
async function relationTypes(tx: Tx): Promise<Stats["relations"]> {
  const rows = await rowsOf<[name: string, total: number]>(
    tx,
    sql`select type, sum(part) as total from (
        select type, count(*) as part from relations group by type
        union all
        select type, -count(*) from (
          select source_id, target_id, relations.type from concepts cross join relations
            where deleted_at is not null and source_id = concepts.id
          union
          select source_id, target_id, relations.type from concepts cross join relations
            where deleted_at is not null and target_id = concepts.id
        ) found group by type
      ) found group by type having sum(part) > 0 order by type`,
  );
  const named = rows.map(([name, total]) => ({ name, total }));
  return { total: sum(named), by_type: tally(named) };
}

function sum(rows: readonly { total: number }[]): number {
  return rows.reduce((total, row) => total + row.total, 0);
}

function tally(rows: readonly { name: string; total: number }[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { name, total } of rows) totals[name] = (totals[name] ?? 0) + total;
  return totals;
}
