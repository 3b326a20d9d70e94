import { and, asc, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { loadFacts, loadFactsOfClusters } from "../facts/fact.queries.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import { episodeId, parseNumberedId } from "../input/item-ids.ts";
import { type ConceptRow, loadConcept, loadSourceEpisodes } from "./concept.queries.ts";
import { type ConceptDetail, FACT_CLUSTER } from "./concept.schema.ts";
import { concepts, evidence } from "./concept.table.ts";

export async function loadConceptDetail(tx: Tx, row: ConceptRow): Promise<ConceptDetail> {
  const factNumbers = await loadFactsOfClusters(tx, [row.id]);
  const factRecords = await loadFacts(tx, factNumbers);
  const ofStatus = (status: FactRecord["status"]) =>
    factRecords.filter((fact) => fact.status === status);
  const isCluster = row.type === FACT_CLUSTER || factNumbers.length > 0;
  return {
    ...(await loadConcept(tx, row.id)),
    source_episodes: await loadEpisodes(tx, await loadEvidenceEpisodes(tx, row.id, factRecords)),
    evidence: await loadEvidence(tx, row.id),
    lineage: await loadLineage(tx, row),
    ...(isCluster && {
      facts: [...ofStatus("active"), ...ofStatus("superseded")],
      superseded_facts: ofStatus("superseded"),
    }),
  };
}

async function loadEvidenceEpisodes(
  tx: Tx,
  conceptNumber: number,
  factRecords: readonly FactRecord[],
): Promise<number[]> {
  const claims = factRecords.map((fact) => parseNumberedId(fact.episode_id, "episode", "episode"));
  const numbers = new Set([...(await loadSourceEpisodes(tx, conceptNumber)), ...claims]);
  return [...numbers].sort((a, b) => a - b);
}

async function loadEvidence(tx: Tx, conceptNumber: number): Promise<ConceptDetail["evidence"]> {
  const rows = await tx
    .select({ link: evidence })
    .from(evidence)
    .innerJoin(episodes, and(eq(episodes.id, evidence.episodeId), isNull(episodes.deletedAt)))
    .where(eq(evidence.conceptId, conceptNumber))
    .orderBy(asc(evidence.episodeId));
  return rows.map(({ link }) => ({
    episode_id: episodeId(link.episodeId),
    type: link.type,
    strength: link.strength,
    note: link.note,
  }));
}

async function loadLineage(tx: Tx, row: ConceptRow): Promise<ConceptDetail["lineage"]> {
  return {
    merged_from: await loadPublicIds(tx, eq(concepts.mergedInto, row.id)),
    merged_into: await loadPublicId(tx, row.mergedInto),
    split_from: await loadPublicId(tx, row.splitFrom),
    split_into: await loadPublicIds(tx, eq(concepts.splitFrom, row.id)),
    note: row.lineageNote,
  };
}

async function loadPublicId(tx: Tx, number: number | null): Promise<string | null> {
  if (number === null) return null;
  return (await loadPublicIds(tx, eq(concepts.id, number)))[0] ?? null;
}

async function loadPublicIds(tx: Tx, condition: ReturnType<typeof eq>): Promise<string[]> {
  const rows = await tx
    .select({ publicId: concepts.publicId })
    .from(concepts)
    .where(condition)
    .orderBy(asc(concepts.id));
  return rows.map((row) => row.publicId);
}
