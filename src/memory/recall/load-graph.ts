import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conceptSources, concepts, evidence, relations } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { numberSet } from "../search/number-set.ts";
import { conceptIsVisible, episodeInScope, factHolds, type RecallScope } from "./recall-scope.ts";

/** An episode near another one of its session. */
export interface NeighbourEdge {
  readonly from: number;
  readonly to: number;
  /** Places between them, 1 or 2. */
  readonly distance: number;
}

/** A source, evidence or fact edge. */
export interface EvidenceEdge {
  readonly episode: number;
  readonly concept: number;
  /** 0..1 */
  readonly strength: number;
}

export interface RelationEdge {
  readonly a: number;
  readonly b: number;
  /** 0..1 */
  readonly strength: number;
}

/** Two places before and after, in id order; deleted episodes take no place. */
export const NEIGHBOUR_STEPS = 2;
/** Edges of each kind that are followed at once, those of the newest episodes first. */
const MAX_EDGES = 1000;

/** Neighbours of these episodes in their sessions. One statement, whatever their number. */
export async function loadNeighbours(tx: Tx, numbers: readonly number[]): Promise<NeighbourEdge[]> {
  if (numbers.length === 0) return [];
  const side = (comparison: SQL, order: SQL) => sql`
    select seed.value as "from", near.id as "to" from json_each(${JSON.stringify(numbers)}) seed, ${episodes} near
    where near.id in (
      select id from ${episodes} where deleted_at is null
      and session = (select session from ${episodes} where id = seed.value)
      and ${comparison} order by ${order} limit ${NEIGHBOUR_STEPS}
    )`;
  const before = await tx.all<{ from: number; to: number }>(
    side(sql`id < seed.value`, sql`id desc`),
  );
  const after = await tx.all<{ from: number; to: number }>(side(sql`id > seed.value`, sql`id asc`));
  return [...withDistances(before), ...withDistances(after)];
}

/** The nearer of two numbers on one side is one place away. */
function withDistances(rows: readonly { from: number; to: number }[]): NeighbourEdge[] {
  return rows.map(({ from, to }) => {
    const nearer = rows.filter(
      (other) => other.from === from && Math.abs(other.to - from) < Math.abs(to - from),
    );
    return { from, to, distance: nearer.length + 1 };
  });
}

/** Which of these episodes may be shown, with their sessions. */
export async function loadVisibleEpisodes(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Map<number, string | null>> {
  if (numbers.length === 0) return new Map();
  const rows = await tx
    .select({ id: episodes.id, session: episodes.session })
    .from(episodes)
    .where(and(sql`${episodes.id} in (${numberSet(numbers)})`, episodeInScope(tx, scope)));
  return new Map(rows.map((row) => [row.id, row.session]));
}

/** Which of these concepts may be shown, beyond the scope too. */
export async function loadVisibleConcepts(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  const rows = await tx
    .select({ id: concepts.id })
    .from(concepts)
    .where(and(sql`${concepts.id} in (${numberSet(numbers)})`, conceptIsVisible(tx, scope)));
  return new Set(rows.map((row) => row.id));
}

/** Edges between these episodes and their concepts. */
export async function loadConceptsOf(
  tx: Tx,
  scope: RecallScope,
  episodeNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  if (episodeNumbers.length === 0) return [];
  const among = numberSet(episodeNumbers);
  return loadEvidence(tx, scope, {
    source: sql`${conceptSources.episodeId} in (${among})`,
    evidence: sql`${evidence.episodeId} in (${among})`,
    fact: sql`${facts.episodeId} in (${among})`,
  });
}

/** Edges between these concepts and their newest episodes. */
export async function loadEpisodesOf(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  if (conceptNumbers.length === 0) return [];
  const among = numberSet(conceptNumbers);
  return loadEvidence(tx, scope, {
    source: sql`${conceptSources.conceptId} in (${among})`,
    evidence: sql`${evidence.conceptId} in (${among})`,
    fact: sql`${facts.clusterId} in (${among})`,
  });
}

async function loadEvidence(
  tx: Tx,
  scope: RecallScope,
  where: { source: SQL; evidence: SQL; fact: SQL },
): Promise<EvidenceEdge[]> {
  const sources = await tx
    .select({ episode: conceptSources.episodeId, concept: conceptSources.conceptId })
    .from(conceptSources)
    .where(where.source)
    .orderBy(sql`${conceptSources.episodeId} desc`)
    .limit(MAX_EDGES);
  const proofs = await tx
    .select({
      episode: evidence.episodeId,
      concept: evidence.conceptId,
      strength: evidence.strength,
    })
    .from(evidence)
    .where(where.evidence)
    .orderBy(sql`${evidence.episodeId} desc`)
    .limit(MAX_EDGES);
  const claims = await tx
    .select({ episode: facts.episodeId, concept: facts.clusterId })
    .from(facts)
    .where(and(where.fact, factHolds(scope)))
    .orderBy(sql`${facts.id} desc`)
    .limit(MAX_EDGES);
  return [
    ...sources.map((edge) => ({ ...edge, strength: 1 })),
    ...proofs,
    ...claims.map((edge) => ({ ...edge, strength: 1 })),
  ];
}

/** Relations at these concepts, in both directions: an implication recalls what implies it. */
export async function loadRelations(
  tx: Tx,
  conceptNumbers: readonly number[],
): Promise<RelationEdge[]> {
  if (conceptNumbers.length === 0) return [];
  const columns = { a: relations.sourceId, b: relations.targetId, strength: relations.strength };
  const numbers = [...conceptNumbers];
  const from = await tx.select(columns).from(relations).where(inArray(relations.sourceId, numbers));
  const to = await tx.select(columns).from(relations).where(inArray(relations.targetId, numbers));
  return [...from, ...to.map(({ a, b, strength }) => ({ a: b, b: a, strength }))];
}
