import { type SQL, sql } from "drizzle-orm";
import {
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  orderedJoin,
  rowQuery,
  rowsAsJson,
  type Tx,
} from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { groupBy } from "../../shared/collections.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { StoredFact } from "../facts/fact-record.ts";
import {
  conceptMatchesItself,
  episodeInScope,
  episodeIsVisible,
  factIsValid,
  isNarrowedByFilter,
  type RecallScope,
} from "./recall-scope.ts";
import type { Seeds } from "./seed.ts";

const MAX_FACTS_PER_CLUSTER = 50;

export interface ActiveFact extends StoredFact {
  readonly episode: number;
  readonly concept: number;
  readonly entities: string[];
  /** True if a visible conflict involves the fact: see `factIsDisputed`. */
  readonly isDisputed: boolean;
}

/**
 * SQL condition on `facts`: a conflict involves it, and is open unless the recall uses `known_at`.
 * Read with the facts to avoid a query for conflicts that do not exist.
 */
export function factIsDisputed({ knownAt }: Pick<RecallScope, "knownAt">): SQL {
  const open = knownAt === undefined ? sql` and conflicts.status = 'open'` : sql``;
  const isSideOfOpenConflict = (side: "fact_a" | "fact_b") =>
    sql`exists (select 1 from conflicts where conflicts.${sql.identifier(side)} = facts.id${open})`;
  return sql`(${isSideOfOpenConflict("fact_a")} or ${isSideOfOpenConflict("fact_b")})`;
}

/**
 * Loads the valid facts of each concept, best matches first, then the newest. A concept that is in
 * scope only through its facts is limited to facts in scope.
 */
export async function loadActiveFacts(
  tx: Tx,
  concepts: readonly number[],
  { scope, seeds, scoreOfEpisode }: ActiveFactSearch,
): Promise<Map<number, ActiveFact[]>> {
  if (concepts.length === 0) return new Map();
  const chosen = new Set(concepts);
  const matching = seeds.facts.filter(({ concept }) => chosen.has(concept)).map(({ id }) => id);
  const [narrowed, visible] = await settleAll(
    isNarrowedByFilter(scope)
      ? selectFactsInScope(tx, scope, { concepts, matching })
      : Promise.resolve([]),
    loadRows(visibleFacts, tx, { scope, concepts, matching }),
  );
  const inScope = new Set(narrowed.map(({ concept }) => concept));
  const rest = visible.filter(({ concept }) => !inScope.has(concept));
  return new Map(
    Array.from(
      groupBy([...narrowed, ...rest], ({ concept }) => concept),
      ([concept, facts]) => [
        concept,
        orderByScore(facts, scoreOfEpisode).slice(0, MAX_FACTS_PER_CLUSTER),
      ],
    ),
  );
}

/** Sorts best matches first, then the newest. Disputed facts are adjacent, the newest first. */
function orderByScore(
  facts: readonly ActiveFact[],
  getScore: ActiveFactSearch["scoreOfEpisode"],
): ActiveFact[] {
  const disputed = facts.filter(({ isDisputed }) => isDisputed);
  const bestDisputed = Math.max(0, ...disputed.map(({ episode }) => getScore(episode)));
  const getRank = ({ isDisputed, episode }: ActiveFact) =>
    isDisputed ? bestDisputed : getScore(episode);
  return facts.toSorted(
    (a, b) =>
      getRank(b) - getRank(a) ||
      (a.isDisputed && b.isDisputed ? b.validFrom.localeCompare(a.validFrom) : 0) ||
      b.id - a.id,
  );
}

interface ActiveFactSearch {
  readonly scope: RecallScope;
  readonly seeds: Seeds;
  scoreOfEpisode(number: number): number;
}

interface ClusterSelection {
  readonly concepts: readonly number[];
  /** Numbers of facts that match the query and are included even if others are newer. */
  readonly matching: readonly number[];
}

/** Finds the matching facts of concepts that match a filter only through facts. */
async function selectFactsInScope(
  tx: Tx,
  scope: RecallScope,
  { concepts, matching }: ClusterSelection,
): Promise<ActiveFact[]> {
  const values = { ...scope.values, numbers: listOfValues(concepts) };
  const [rows, inScope] = await settleAll(
    matchingConcepts(tx, values, scope),
    loadRows(factsInScope, tx, { scope, concepts, matching }),
  );
  const full = new Set(rows.map(([id]) => id));
  return inScope.filter(({ concept }) => !full.has(concept));
}

const matchingConcepts = rowQuery<[id: number], RecallScope>(
  (scope) =>
    sql`select concepts.id from concepts where concepts.id in (${numbersParameter("numbers")}) and ${conceptMatchesItself(scope)}`,
);

type FactColumns = [
  concept: number,
  id: number,
  episode: number,
  content: string,
  status: "active" | "superseded",
  validFrom: string,
  validTo: string | null,
  supersededBy: number | null,
  supersededAt: string | null,
  assertedBy: string | null,
  sourceRef: string | null,
  createdAt: string,
  entities: string,
  isDisputed: number | boolean,
];

async function loadRows(
  query: typeof visibleFacts,
  tx: Tx,
  { scope, concepts, matching }: ClusterSelection & { scope: RecallScope },
): Promise<ActiveFact[]> {
  if (concepts.length === 0) return [];
  const values = {
    ...scope.values,
    concepts: listOfValues(concepts),
    matching: listOfValues(matching),
  };
  const rows = await query(tx, values, scope);
  return rows.map(
    ([concept, id, episode, content, status, validFrom, validTo, supersededBy, ...reported]) => {
      const [supersededAt, assertedBy, sourceRef, createdAt, mentioned, disputed] = reported;
      const times = { validFrom, validTo, supersededAt, createdAt };
      const named = JSON.parse(mentioned) as [type: string, name: string][];
      return {
        ...{ concept, id, episode, content, status, supersededBy, assertedBy, sourceRef },
        ...times,
        entities: named.map(([type, name]) => entityId({ type, name })),
        isDisputed: Boolean(disputed),
      };
    },
  );
}

const factsInScope = rowQuery<FactColumns, RecallScope>((scope) =>
  newestOfClusters(scope, episodeInScope(scope)),
);

const visibleFacts = rowQuery<FactColumns, RecallScope>((scope) =>
  newestOfClusters(scope, episodeIsVisible(scope)),
);

const MENTIONED_ENTITIES = sql`(select ${rowsAsJson(sql`mentioned.type, mentioned.name`)} from (
    select entities.type, entities.name
    from episode_entities inner join entities on entities.id = episode_entities.entity_id
    where episode_entities.episode_id = facts.episode_id
    order by episode_entities.position, entities.type, entities.name) mentioned)`;

function newestOfClusters(scope: RecallScope, condition: SQL): SQL {
  const isValid = sql`${factIsValid(scope)} and ${condition}`;
  const newest = sql`select facts.id from facts inner join episodes on episodes.id = facts.episode_id
    where facts.cluster_id = wanted.value and ${isValid}
    order by facts.id desc limit ${sql.raw(String(MAX_FACTS_PER_CLUSTER))}`;
  const columns = sql`facts.cluster_id, facts.id, facts.episode_id, episodes.content, facts.status,
      facts.valid_from, facts.valid_to, facts.superseded_by, facts.superseded_at,
      episodes.asserted_by, episodes.source_ref, facts.created_at,
      ${MENTIONED_ENTITIES} as mentioned, ${factIsDisputed(scope)} as disputed`;
  return sql`select ${columns}
    from (${numbersParameter("concepts")}) wanted
    ${orderedJoin({ table: "facts", alias: "facts" }, newest)}
    ${ORDERED_JOIN} episodes on episodes.id = facts.episode_id
    union
    select ${columns}
    from (${numbersParameter("matching")}) wanted
    ${ORDERED_JOIN} facts on facts.id = wanted.value
    and facts.cluster_id in (${numbersParameter("concepts")})
    ${ORDERED_JOIN} episodes on episodes.id = facts.episode_id`;
}
