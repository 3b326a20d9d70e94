import { type SQL, sql } from "drizzle-orm";
import { listOfValues, rowQuery, type Tx, valuesNamed } from "../../database/index.ts";
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

export interface VisibleEpisode {
  readonly session: string | null;
  /** Whether it ends in a question mark. */
  readonly asks: boolean;
}

/** Whether the episode in the row ends in a question mark, of whatever script. */
export const asksInstead = sql`substr(rtrim(episodes.content), -1) in ('?', '？', '؟')`;

/** Which of these episodes may be shown. */
export async function loadVisibleEpisodes(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Map<number, VisibleEpisode>> {
  if (numbers.length === 0) return new Map();
  const rows = await visibleEpisodes(tx, withNumbers(scope, numbers), scope);
  return new Map(rows.map(([id, session, asks]) => [id, { session, asks: asks === 1 }]));
}

const visibleEpisodes = rowQuery<[id: number, session: string | null, asks: number], RecallScope>(
  (scope) =>
    sql`select episodes.id, episodes.session, ${asksInstead} from episodes where episodes.id in (${valuesNamed("numbers")}) and ${episodeInScope(scope)}`,
);

/** Which of these concepts may be found. */
export async function loadConceptsInScope(
  tx: Tx,
  scope: RecallScope,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  const rows = await conceptsInScope(tx, withNumbers(scope, numbers), scope);
  return new Set(rows.map(([id]) => id));
}

const conceptsInScope = rowQuery<[id: number], RecallScope>(
  (scope) =>
    sql`select concepts.id from concepts where concepts.id in (${valuesNamed("numbers")}) and ${conceptInScope(scope)}`,
);

/** Edges between these episodes and their concepts that may be shown, beyond the scope too. */
export function loadConceptsOf(
  tx: Tx,
  scope: RecallScope,
  episodeNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  return loadEvidence(edgesOfEpisodes, tx, { scope, numbers: episodeNumbers });
}

/** Edges between these concepts and their newest episodes. */
export function loadEpisodesOf(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  return loadEvidence(edgesOfConcepts, tx, { scope, numbers: conceptNumbers });
}

type EvidenceRow = [episode: number, concept: number, strength: number];

async function loadEvidence(
  load: typeof edgesOfEpisodes,
  tx: Tx,
  { scope, numbers }: { scope: RecallScope; numbers: readonly number[] },
): Promise<EvidenceEdge[]> {
  if (numbers.length === 0) return [];
  const rows = await load(tx, withNumbers(scope, numbers), scope);
  return rows.map(([episode, concept, strength]) => ({ episode, concept, strength }));
}

const edgesOfEpisodes = rowQuery<EvidenceRow, RecallScope>(
  (scope) =>
    sql`select edges.* from (${evidenceAt("episode", scope)}) edges cross join concepts on concepts.id = edges.concept_id where ${conceptIsVisible(scope)}`,
);

const edgesOfConcepts = rowQuery<EvidenceRow, RecallScope>((scope) => evidenceAt("concept", scope));

/** Sources, evidence and facts in one statement, since most of them are empty. */
function evidenceAt(side: "episode" | "concept", scope: RecallScope): SQL {
  const among = valuesNamed("numbers");
  const link = sql.identifier(side === "episode" ? "episode_id" : "concept_id");
  const claim = sql.identifier(side === "episode" ? "episode_id" : "cluster_id");
  const newest = sql.raw(`order by episode_id desc limit ${MAX_EDGES}`);
  return sql`
    select * from (select episode_id, concept_id, 1 as strength from concept_sources where ${link} in (${among}) ${newest}) as sources
    union all
    select * from (select episode_id, concept_id, strength from evidence where ${link} in (${among}) ${newest}) as evidence
    union all
    select * from (select episode_id, cluster_id, 1 from facts where ${claim} in (${among}) and ${factHolds(scope)} ${newest}) as claims`;
}

/**
 * Relations at these concepts to those that may be shown, in both directions: an implication
 * recalls what implies it.
 */
export async function loadRelations(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<RelationEdge[]> {
  if (conceptNumbers.length === 0) return [];
  const rows = await relationEdges(tx, withNumbers(scope, conceptNumbers), scope);
  return rows.map(([a, b, strength]) => ({ a, b, strength }));
}

const relationEdges = rowQuery<[a: number, b: number, strength: number], RecallScope>(
  (scope) => sql`select edges.* from (
      select source_id as a, target_id as b, strength from relations where source_id in (${valuesNamed("numbers")})
      union all
      select target_id, source_id, strength from relations where target_id in (${valuesNamed("numbers")})
    ) edges cross join concepts on concepts.id = edges.b where ${conceptIsVisible(scope)}`,
);

function withNumbers(scope: RecallScope, numbers: readonly number[]) {
  return { ...scope.values, numbers: listOfValues(numbers) };
}
