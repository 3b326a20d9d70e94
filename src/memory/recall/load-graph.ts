import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { valueSet } from "../search/value-set.ts";
import {
  conceptInScope,
  conceptIsVisible,
  episodeInScope,
  factHolds,
  type RecallScope,
} from "./recall-scope.ts";

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

/** Edges of each kind that are followed at once, those of the newest episodes first. */
const MAX_EDGES = 1000;

/** Which of these episodes may be shown, with their sessions. */
export async function loadVisibleEpisodes(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Map<number, string | null>> {
  if (numbers.length === 0) return new Map();
  const rows = await tx.values<[id: number, session: string | null]>(
    sql`select episodes.id, episodes.session from episodes where episodes.id in (${valueSet(numbers)}) and ${episodeInScope(scope)}`,
  );
  return new Map(rows);
}

/** Which of these concepts may be shown, beyond the scope too. */
export async function loadVisibleConcepts(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  return loadConcepts(tx, numbers, conceptIsVisible(scope));
}

/** Which of these concepts may be found. */
export async function loadConceptsInScope(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  return loadConcepts(tx, numbers, conceptInScope(scope));
}

async function loadConcepts(
  tx: Tx,
  numbers: readonly number[],
  condition: SQL,
): Promise<Set<number>> {
  const rows = await tx.values<[id: number]>(
    sql`select concepts.id from concepts where concepts.id in (${valueSet(numbers)}) and ${condition}`,
  );
  return new Set(rows.map(([id]) => id));
}

/** Edges between these episodes and their concepts. */
export function loadConceptsOf(
  tx: Tx,
  scope: RecallScope,
  episodeNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  return loadEvidence(tx, scope, { side: "episode", numbers: episodeNumbers });
}

/** Edges between these concepts and their newest episodes. */
export function loadEpisodesOf(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  return loadEvidence(tx, scope, { side: "concept", numbers: conceptNumbers });
}

/** Sources, evidence and facts in one statement, since most of them are empty. */
async function loadEvidence(
  tx: Tx,
  scope: RecallScope,
  { side, numbers }: { side: "episode" | "concept"; numbers: readonly number[] },
): Promise<EvidenceEdge[]> {
  if (numbers.length === 0) return [];
  const among = valueSet(numbers);
  const link = sql.identifier(side === "episode" ? "episode_id" : "concept_id");
  const claim = sql.identifier(side === "episode" ? "episode_id" : "cluster_id");
  const newest = sql`order by episode_id desc limit ${MAX_EDGES}`;
  const rows = await tx.values<[episode: number, concept: number, strength: number]>(sql`
    select * from (select episode_id, concept_id, 1 from concept_sources where ${link} in (${among}) ${newest})
    union all
    select * from (select episode_id, concept_id, strength from evidence where ${link} in (${among}) ${newest})
    union all
    select * from (select episode_id, cluster_id, 1 from facts where ${claim} in (${among}) and ${factHolds(scope)} ${newest})`);
  return rows.map(([episode, concept, strength]) => ({ episode, concept, strength }));
}

/** Relations at these concepts, in both directions: an implication recalls what implies it. */
export async function loadRelations(
  tx: Tx,
  conceptNumbers: readonly number[],
): Promise<RelationEdge[]> {
  if (conceptNumbers.length === 0) return [];
  const among = valueSet(conceptNumbers);
  const rows = await tx.values<[a: number, b: number, strength: number]>(sql`
    select source_id, target_id, strength from relations where source_id in (${among})
    union all
    select target_id, source_id, strength from relations where target_id in (${among})`);
  return rows.map(([a, b, strength]) => ({ a, b, strength }));
}
