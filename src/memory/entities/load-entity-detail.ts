import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches, settleAll } from "../../shared/async.ts";
import { conceptSources, concepts, evidence } from "../concepts/concept.table.ts";
import { facts } from "../facts/fact.table.ts";
import { episodesOfEntity } from "./mention.queries.ts";

/**
 * The active concepts made from, or about, episodes that mention the entity: when each was made and
 * its number, newest first.
 */
export async function conceptPlacesOfEntity(
  tx: Tx,
  entityNumber: number,
): Promise<[time: string, number: number][]> {
  const episodeNumbers = await episodesOfEntity(tx, entityNumber);
  const fromSources = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: conceptSources.conceptId })
      .from(conceptSources)
      .where(inArray(conceptSources.episodeId, slice)),
  );
  const fromEvidence = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: evidence.conceptId })
      .from(evidence)
      .where(inArray(evidence.episodeId, slice)),
  );
  const fromFacts = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: facts.clusterId })
      .from(facts)
      .where(and(inArray(facts.episodeId, slice), eq(facts.status, "active"))),
  );
  const rows = (await settleAll(fromSources, fromEvidence, fromFacts)).flat();
  const numbers = new Set(rows.map((row) => row.id));
  const found = await activeNewestFirst(tx, [...numbers]);
  return found.map(({ createdAt, id }) => [createdAt, id]);
}

export async function clustersOfEntity(tx: Tx, entityNumber: number): Promise<number[]> {
  const episodeNumbers = await episodesOfEntity(tx, entityNumber);
  const rows = await loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: facts.clusterId })
      .from(facts)
      .where(and(inArray(facts.episodeId, slice), eq(facts.status, "active"))),
  );
  const found = await activeNewestFirst(tx, [...new Set(rows.map((row) => row.id))]);
  return found.map(({ id }) => id);
}

async function activeNewestFirst(tx: Tx, numbers: readonly number[]): Promise<Dated[]> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx
      .select({ id: concepts.id, createdAt: concepts.createdAt })
      .from(concepts)
      .where(and(inArray(concepts.id, slice), isNull(concepts.deletedAt))),
  );
  return rows.sort(newestFirst);
}

interface Dated {
  readonly id: number;
  readonly createdAt: string;
}

function newestFirst(a: Dated, b: Dated): number {
  if (a.createdAt === b.createdAt) return b.id - a.id;
  return a.createdAt < b.createdAt ? 1 : -1;
}
