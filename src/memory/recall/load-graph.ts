import { type SQL, sql } from "drizzle-orm";
import {
  endsWithAny,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import { conceptIsVisible, factIsValid, type RecallScope } from "./recall-scope.ts";

interface NeighbourEdge {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/** Number of an episode and of its neighbors; null if there is none. */
type NeighbourRow = [
  from: number,
  before: number | null,
  twoBefore: number | null,
  after: number | null,
  twoAfter: number | null,
];

function groupNeighbours([from, ...locations]: NeighbourRow): NeighbourEdge[] {
  return locations.flatMap((to, index) =>
    to === null ? [] : { from, to, distance: 1 + (index % 2) },
  );
}

/** Up to two active episodes before and after each of the `episodes` in its session, by id. */
const NEIGHBOURS: SQL = neighbourRows();

function neighbourRows(): SQL {
  const selectNear = (side: SQL, step: number) =>
    sql`(select near.id from episodes near where near.session = seed.session and near.deleted_at is null and ${side} limit 1 offset ${sql.raw(String(step))})`;
  const before = sql`near.id < seed.id order by near.id desc`;
  const after = sql`near.id > seed.id order by near.id`;
  return sql`select seed.id, ${selectNear(before, 0)}, ${selectNear(before, 1)}, ${selectNear(after, 0)}, ${selectNear(after, 1)}
    from episodes seed where seed.id in (${numbersParameter("episodes")}) and seed.session is not null`;
}

export interface EvidenceEdge {
  readonly episode: number;
  readonly concept: number;
  /** 0..1 */
  readonly strength: number;
}

export interface RelationEdge {
  readonly a: number;
  readonly b: number;
  readonly strength: number;
}

/** Maximum edges of each kind per step, those of the newest episodes first. */
const MAX_EDGES = 1000;

/** SQL condition: the episode ends with a question mark of any script. */
export const endsWithQuestionMark = endsWithAny(sql`episodes.content`, ["?", "？", "؟"]);

/** Loads edges from these episodes to their visible concepts, including those outside the scope. */
export async function loadEdgesOfEpisodes(
  tx: Tx,
  scope: RecallScope,
  episodeNumbers: readonly number[],
): Promise<EvidenceEdge[]> {
  if (episodeNumbers.length === 0) return [];
  const values = { ...scope.values, episodes: listOfValues(episodeNumbers) };
  const rows = await edgesOfEpisodes(tx, values, scope);
  return rows.map(([episode, concept, strength]) => ({ episode, concept, strength }));
}

type EvidenceRow = [episode: number, concept: number, strength: number];

const edgesOfEpisodes = rowQuery<EvidenceRow, RecallScope>((scope) => selectUpwardEdges(scope));

export interface GraphNeighbours {
  /** Edges from the episodes to their visible concepts, including those outside the scope. */
  readonly upward: readonly EvidenceEdge[];
  readonly downward: readonly EvidenceEdge[];
  readonly neighbours: readonly NeighbourEdge[];
}

export async function loadGraphNeighbours(
  tx: Tx,
  scope: RecallScope,
  around: { episodes: readonly number[]; concepts: readonly number[] },
): Promise<GraphNeighbours> {
  const values = {
    ...scope.values,
    episodes: listOfValues(around.episodes),
    concepts: listOfValues(around.concepts),
  };
  const rows = await surroundings(tx, values, scope);
  const edgesInDirection = (requested: "up" | "down") =>
    rows.flatMap(([kind, episode, concept, strength]) =>
      kind === requested && concept !== null && strength !== null
        ? [{ episode, concept, strength }]
        : [],
    );
  return {
    upward: edgesInDirection("up"),
    downward: edgesInDirection("down"),
    neighbours: rows.flatMap(([kind, ...locations]) =>
      kind === "near" ? groupNeighbours(locations) : [],
    ),
  };
}

const surroundings = rowQuery<[kind: "up" | "down" | "near", ...NeighbourRow], RecallScope>(
  // The widest rows come first, because they set the column types.
  (scope) => sql`
    select 'near' as what, near.* from (${NEIGHBOURS}) near
    union all
    select 'up', up.*, null, null from (${selectUpwardEdges(scope)}) up
    union all
    select 'down', down.*, null, null from (${selectEvidenceAt("concept", scope)}) down`,
);

/** Selects edges of `loadConceptsOf`; `among` selects episode numbers. */
export function selectUpwardEdges(scope: RecallScope, among = numbersParameter("episodes")): SQL {
  return sql`select edges.* from (${selectEvidenceAt("episode", scope, among)}) edges ${ORDERED_JOIN} concepts on concepts.id = edges.concept_id where ${conceptIsVisible(scope)}`;
}

/**
 * Combines sources, evidence and facts in one statement, since most of these queries are empty.
 * Clusters do not propagate to their facts: membership says nothing about a fact's subject.
 */
function selectEvidenceAt(
  side: "episode" | "concept",
  scope: RecallScope,
  among = numbersParameter(`${side}s`),
): SQL {
  const link = sql.identifier(side === "episode" ? "episode_id" : "concept_id");
  const newest = sql.raw(`order by episode_id desc limit ${MAX_EDGES}`);
  const claims = sql`union all
    select * from (select episode_id, cluster_id, 1 from facts where episode_id in (${among}) and ${factIsValid(scope)} ${newest}) as claims`;
  return sql`
    select * from (select episode_id, concept_id, 1 as strength from concept_sources where ${link} in (${among}) ${newest}) as sources
    union all
    select * from (select episode_id, concept_id, strength from evidence where ${link} in (${among}) ${newest}) as evidence
    ${side === "episode" ? claims : sql``}`;
}

/**
 * Loads relations in both directions between these concepts and visible ones, and then one step
 * further: an implication also recalls its premises. One statement, to save round trips.
 */
export async function loadRelations(
  tx: Tx,
  scope: RecallScope,
  conceptNumbers: readonly number[],
): Promise<readonly [first: RelationEdge[], second: RelationEdge[]]> {
  if (conceptNumbers.length === 0) return [[], []];
  const values = { ...scope.values, numbers: listOfValues(conceptNumbers) };
  const rows = await relationEdges(tx, values, scope);
  const getEdges = (requested: number) =>
    rows.flatMap(([hop, a, b, strength]) => (hop === requested ? [{ a, b, strength }] : []));
  return [getEdges(1), getEdges(2)];
}

type RelationRow = [hop: number, a: number, b: number, strength: number];

const relationEdges = rowQuery<RelationRow, RecallScope>(
  (scope) => sql`with first_hop as materialized (
      select edges.* from (${selectRelations(numbersParameter("numbers"))}) edges ${ORDERED_JOIN} concepts on concepts.id = edges.b where ${conceptIsVisible(scope)}
    )
    select 1 as hop, first_hop.* from first_hop
    union all
    select 2, edges.* from (${selectRelations(sql`select first_hop.b from first_hop`)}) edges ${ORDERED_JOIN} concepts on concepts.id = edges.b where ${conceptIsVisible(scope)}`,
);

function selectRelations(numbers: SQL): SQL {
  return sql`select source_id as a, target_id as b, strength from relations where source_id in (${numbers})
      union all
      select target_id, source_id, strength from relations where target_id in (${numbers})`;
}
