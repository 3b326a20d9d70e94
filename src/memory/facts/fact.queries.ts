import { createHash } from "node:crypto";
import { and, count, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { groupBy, indexBy } from "../../shared/collections.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";
import { concepts } from "../concepts/concept.table.ts";
import { entityId } from "../entities/entity.queries.ts";
import { loadEntitiesOfEpisodes } from "../entities/mention.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeId, factId, parseNumberedId } from "../input/item-ids.ts";
import type { FactRecord } from "./fact.schema.ts";
import { facts } from "./fact.table.ts";
import { toFactRecord } from "./fact-record.ts";

export type FactRow = typeof facts.$inferSelect;

export const statementHash = (statement: string): string =>
  createHash("sha256").update(statement).digest("hex");

export async function requireFact(tx: Tx, id: string, field: string): Promise<FactRow> {
  const number = parseNumberedId(id, "fact", field);
  const [row] = await tx
    .select({ fact: facts, deletedAt: episodes.deletedAt })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(eq(facts.id, number));
  if (row === undefined) throw notFound(`${field}: there is no fact ${id}`);
  if (row.deletedAt !== null) {
    const episode = episodeId(row.fact.episodeId);
    throw notFound(`${field}: ${id} is deleted with its episode; restore ${episode} first`);
  }
  return row.fact;
}

export async function requireActiveFact(tx: Tx, id: string, field: string): Promise<FactRow> {
  const row = await requireFact(tx, id, field);
  if (row.status === "active") return row;
  const by = row.supersededBy === null ? "" : ` by ${factId(row.supersededBy)}`;
  throw stateConflict(`${field}: ${id} is superseded${by}; name an active fact`);
}

export async function loadFactOfEpisode(
  tx: Tx,
  episodeNumber: number,
): Promise<FactRow | undefined> {
  const [row] = await tx.select().from(facts).where(eq(facts.episodeId, episodeNumber));
  return row;
}

export interface FactFilter {
  readonly status?: "active" | "superseded";
}

export async function loadFactsOfClusters(
  tx: Tx,
  clusterNumbers: readonly number[],
  filter: FactFilter = {},
): Promise<number[]> {
  const rows = await loadInBatches(clusterNumbers, (slice) =>
    tx
      .select({ id: facts.id })
      .from(facts)
      .innerJoin(episodes, eq(episodes.id, facts.episodeId))
      .where(
        and(
          inArray(facts.clusterId, slice),
          filter.status === undefined ? undefined : eq(facts.status, filter.status),
          isNull(episodes.deletedAt),
        ),
      ),
  );
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

export async function loadFacts(tx: Tx, numbers: readonly number[]): Promise<FactRecord[]> {
  if (numbers.length === 0) return [];
  const rows = await factsByNumber(tx).execute({ numbers: listOfValues(numbers) });
  const byNumber = indexBy(rows, (row) => row.id);
  const episodeNumbers = rows.map((row) => row.episodeId);
  const mentions = groupBy(
    await loadEntitiesOfEpisodes(tx, episodeNumbers),
    (row) => row.episodeId,
  );
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    if (row === undefined) return [];
    return toFactRecord(row, {
      cluster: row.cluster,
      episode: row.episodeId,
      entities: (mentions.get(row.episodeId) ?? []).map(({ entity }) => entityId(entity)),
    });
  });
}

const factsByNumber = preparedQuery((tx) =>
  tx
    .select({
      ...getTableColumns(facts),
      cluster: concepts.publicId,
      content: episodes.content,
      assertedBy: episodes.assertedBy,
      sourceRef: episodes.sourceRef,
    })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .innerJoin(concepts, eq(concepts.id, facts.clusterId))
    .where(sql`${facts.id} in (${numbersParameter("numbers")})`)
    .prepare(),
);

export async function countActiveFacts(tx: Tx, clusterNumber: number): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(
      and(
        eq(facts.clusterId, clusterNumber),
        eq(facts.status, "active"),
        isNull(episodes.deletedAt),
      ),
    );
  return row?.total ?? 0;
}
