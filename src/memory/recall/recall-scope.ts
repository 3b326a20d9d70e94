import { type SQL, sql } from "drizzle-orm";
import {
  ORDERED_JOIN,
  type QueryShape,
  type QueryValues,
  withinTime,
} from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import type { MemoryKind } from "../context/indexed-kind.ts";
import { type EntityRow, findEntity } from "../entities/entity.queries.ts";
import { factWasValid } from "../facts/fact-validity.ts";
import type { FilterContext } from "../filters/narrowing.ts";
import {
  buildCondition,
  includesFactFilter,
  numbersOfNarrowest,
  type RecordFilter,
  resolveFilter,
  shapeOfFilter,
  valuesOfFilter,
} from "../filters/resolve-filter.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { RecallRequest } from "./recall.schema.ts";

// SQL conditions with named placeholders, so that each form of query is prepared once.

export interface RecallScope extends QueryShape {
  readonly values: QueryValues;
  /** Timestamp at which facts must be valid; undefined for now. */
  readonly asOf: string | undefined;
  /** Timestamp by which facts must be recorded; undefined for now. */
  readonly knownAt: string | undefined;
  readonly filter: RecordFilter;
  readonly entity: number | undefined;
  /** True if statements check the deadline during execution. */
  readonly isTimed: boolean;
}

export async function resolveScope(
  context: FilterContext,
  request: RecallRequest,
  found?: EntityRow,
): Promise<RecallScope | undefined> {
  const { topic, entity, as_of: asOf, known_at: knownAt, timeout_ms: timeout } = request;
  const name = entity === undefined ? undefined : parseEntity(entity);
  const row = name === undefined ? undefined : (found ?? (await findEntity(context.tx, name)));
  if (name !== undefined && row === undefined) return undefined;
  const filter = await resolveFilter(
    { ...context, knownEntity: row },
    {
      ...request,
      text: undefined,
      as_of: undefined,
      known_at: undefined,
      entity: name && [name],
      topic: topic === undefined ? undefined : [topic],
      ...request.narrowedBy,
    },
  );
  const isTimed = timeout !== undefined;
  return describeScope({ asOf, knownAt, filter, entity: row?.id, isTimed });
}

export function removeTimes(scope: RecallScope): RecallScope {
  return scope.isTimed ? describeScope({ ...scope, isTimed: false }) : scope;
}

function describeScope(scope: Omit<RecallScope, "shape" | "values">): RecallScope {
  const { asOf, knownAt, filter, isTimed } = scope;
  return {
    ...scope,
    shape: `asOf ${asOf !== undefined}, knownAt ${knownAt !== undefined}, ${shapeOfFilter(filter)}, timed ${isTimed}`,
    values: { asOf, knownAt, ...valuesOfFilter(filter) },
  };
}

/** Returns true if filters exclude currently visible items. */
export function isNarrow(scope: RecallScope): boolean {
  return isHistorical(scope) || isNarrowedByFilter(scope);
}

/** Returns true if a filter other than a point in time applies. */
export function isNarrowedByFilter({ filter }: RecallScope): boolean {
  return filter.length > 0;
}

export function isHistorical({ asOf, knownAt }: RecallScope): boolean {
  return asOf !== undefined || knownAt !== undefined;
}

/** SQL condition on `facts`: valid at the requested time, as known then. */
export function factIsValid({ asOf, knownAt }: RecallScope): SQL {
  return factWasValid({
    ...(asOf !== undefined && { asOf: sql`${AS_OF}` }),
    ...(knownAt !== undefined && { knownAt: sql`${KNOWN_AT}` }),
  });
}

const AS_OF = sql.placeholder("asOf");
const KNOWN_AT = sql.placeholder("knownAt");
const IS_NOT_CLUSTER = sql.raw(`concepts.type <> '${FACT_CLUSTER}'`);
export const HAPPENED_AT = sql`coalesce(episodes.occurred_at, episodes.created_at)`;

/** SQL condition on `episodes`: visible at the requested time, without an invalid fact. */
export function episodeIsVisible(scope: RecallScope): SQL {
  return joinConditions([
    episodeExists(scope),
    sql`not exists (select 1 from facts where facts.episode_id = episodes.id and not ${factIsValid(scope)})`,
  ]);
}

export function episodeInScope(scope: RecallScope): SQL {
  return joinConditions([episodeIsVisible(scope), matchesFilter("episode", scope)]);
}

export function episodeInScopeWithFact(scope: RecallScope): SQL {
  return joinConditions([
    episodeExists(scope),
    sql`(facts.id is null or ${factIsValid(scope)})`,
    matchesFilter("episode", scope),
  ]);
}

/** Selects episodes in scope through the index of the most selective filter. */
export function episodesInScope(scope: RecallScope): SQL {
  const narrow =
    numbersOfNarrowest("episode", scope.filter) ??
    sql`select episodes.id as number from episodes where ${joinConditions([sql`episodes.deleted_at is null`, ...notCreatedAfter(scope, EPISODE_TIMES)])}`;
  return sql`select episodes.id from (${narrow}) narrow ${ORDERED_JOIN} episodes on episodes.id = narrow.number where ${episodeInScope(scope)}`;
}

/** A filter on a field that a kind lacks excludes the kind. */
function matchesFilter(kind: MemoryKind, { filter }: RecallScope): SQL | false {
  return filter.length > 0 && (buildCondition(kind, filter) ?? sql`false`);
}

/**
 * SQL condition on `concepts`: not deleted and not newer than the requested time. A cluster's age
 * is that of its facts, which may be recorded long after they became valid. Clusters without a
 * valid fact are invisible.
 */
export function conceptIsVisible(scope: RecallScope): SQL {
  const isOther = joinConditions([IS_NOT_CLUSTER, ...notCreatedAfter(scope, CONCEPT_TIMES)]);
  const hasFact = sql`exists (select 1 from facts inner join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and ${factIsValid(scope)} and ${episodeExists(scope)})`;
  return joinConditions([
    sql`concepts.deleted_at is null`,
    scope.isTimed && withinTime(sql`concepts.id`),
    sql`(${isOther} or ${hasFact})`,
  ]);
}

export function conceptInScope(scope: RecallScope): SQL {
  const visible = conceptIsVisible(scope);
  if (!isNarrowedByFilter(scope)) return visible;
  return sql`${visible} and (${conceptMatchesItself(scope)} or exists (select 1 from facts inner join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and ${factIsValid(scope)} and ${episodeInScope(scope)}))`;
}

/** Selects a superset of what `conceptInScope` accepts. `among` selects the episodes in scope. */
export function conceptsThatMayMatch(scope: RecallScope, among: SQL): SQL {
  const ofFacts = sql`select cluster_id from facts where episode_id in (${among})`;
  if (buildCondition("concept", scope.filter) === undefined) return ofFacts;
  const narrow =
    numbersOfNarrowest("concept", scope.filter) ??
    sql`select concepts.id as number from concepts where ${joinConditions(notCreatedAfter(scope, CONCEPT_TIMES))}`;
  const timed = scope.isTimed ? sql` where ${withinTime(sql`narrow.number`)}` : sql``;
  return sql`${ofFacts} union select narrow.number from (${narrow}) narrow${timed}`;
}

/** SQL condition on `concepts`: matches the filters itself, regardless of its facts. */
export function conceptMatchesItself(scope: RecallScope): SQL {
  return joinConditions([
    matchesFilter("concept", scope),
    includesFactFilter(scope.filter) && IS_NOT_CLUSTER,
  ]);
}

/** SQL condition on the episode of a valid fact. */
function episodeExists(scope: RecallScope): SQL {
  return joinConditions([
    scope.isTimed && withinTime(sql`episodes.id`),
    sql`episodes.deleted_at is null`,
    ...notCreatedAfter(scope, EPISODE_TIMES),
  ]);
}

interface RecordTimes {
  readonly happened: SQL;
  readonly written: SQL;
}

const EPISODE_TIMES: RecordTimes = { happened: HAPPENED_AT, written: sql`episodes.created_at` };
const CONCEPT_TIMES: RecordTimes = {
  happened: sql`concepts.created_at`,
  written: sql`concepts.created_at`,
};
export const PASSAGE_TIMES: RecordTimes = {
  happened: sql`passages.occurred_at`,
  written: sql`passages.created_at`,
};

/** SQL condition: occurred and was recorded by the requested times. */
export function notCreatedAfter(
  { asOf, knownAt }: Pick<RecallScope, "asOf" | "knownAt">,
  { happened, written }: RecordTimes,
): SQL[] {
  return [
    ...(asOf === undefined ? [] : [sql`${happened} <= ${AS_OF}`]),
    ...(knownAt === undefined ? [] : [sql`${written} <= ${KNOWN_AT}`]),
  ];
}

function joinConditions(conditions: readonly (SQL | false)[]): SQL {
  const values = conditions.filter((condition) => condition !== false);
  return values.length === 0 ? sql`true` : sql.join(values, sql` and `);
}
