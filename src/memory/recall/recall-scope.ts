import { type SQL, sql } from "drizzle-orm";
import { inTime, type QueryShape, type QueryValues, THEN_JOIN } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import type { MemoryKind } from "../context/indexed-kind.ts";
import { type EntityRow, findEntity } from "../entities/entity.queries.ts";
import { factHeld } from "../facts/fact-held.ts";
import type { FilterContext } from "../filters/define-filter.ts";
import {
  asksForFacts,
  keptCondition,
  numbersOfNarrowest,
  shapeOfFilter,
  valuesOfFilter,
} from "../filters/kept-condition.ts";
import { type RecordFilter, resolveFilter } from "../filters/resolve-filter.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { RecallRequest } from "./recall.schema.ts";

// The conditions are plain text with named placeholders, so that a query is composed once a shape.

/** What recall may see, and what its search is narrowed to. */
export interface RecallScope extends QueryShape {
  /** Of the placeholders in every condition here. */
  readonly values: QueryValues;
  /** Timestamp of when it held; undefined: now. */
  readonly asOf: string | undefined;
  /** Timestamp of when it was known; undefined: now. */
  readonly knownAt: string | undefined;
  readonly filter: RecordFilter;
  /** Number of the entity that is asked for. */
  readonly entity: number | undefined;
  /** Whether the statements look at the time, so that none of them runs past it. */
  readonly isTimed: boolean;
}

/**
 * Undefined when the entity that is asked for is not known: then nothing is found. It is looked up unless
 * it was found before.
 */
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
      // Recall shows what held or was known then of what it finds, the graph's neighbours included.
      as_of: undefined,
      known_at: undefined,
      entity: name && [name],
      topic: topic === undefined ? undefined : [topic],
    },
  );
  const isTimed = timeout !== undefined;
  return describeScope({ asOf, knownAt, filter, entity: row?.id, isTimed });
}

/** The same for statements that are short, and done whatever the time. */
export function untimed(scope: RecallScope): RecallScope {
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

/** Whether the search is narrowed, by more than what is visible to everybody now. */
export function isNarrow(scope: RecallScope): boolean {
  return looksBack(scope) || isNarrowedByChoice(scope);
}

/** Whether by more than a time that is looked back from. */
export function isNarrowedByChoice({ filter }: RecallScope): boolean {
  return filter.length > 0;
}

/** Whether it asks for what held or was known at another time than now. */
export function looksBack({ asOf, knownAt }: RecallScope): boolean {
  return asOf !== undefined || knownAt !== undefined;
}

/** Condition on `facts`: it held at that time, as far as was known. */
export function factHolds({ asOf, knownAt }: RecallScope): SQL {
  return factHeld({
    ...(asOf !== undefined && { asOf: sql`${AS_OF}` }),
    ...(knownAt !== undefined && { knownAt: sql`${KNOWN_AT}` }),
  });
}

const AS_OF = sql.placeholder("asOf");
const KNOWN_AT = sql.placeholder("knownAt");
const IS_NO_CLUSTER = sql.raw(`concepts.type <> '${FACT_CLUSTER}'`);
export const HAPPENED_AT = sql`coalesce(episodes.occurred_at, episodes.created_at)`;

/** Condition on `episodes`: not deleted, not younger, and no fact that does not hold. */
export function episodeIsVisible(scope: RecallScope): SQL {
  return allOf([
    episodeIsThere(scope),
    sql`not exists (select 1 from facts where facts.episode_id = episodes.id and not ${factHolds(scope)})`,
  ]);
}

/** Condition on `episodes`: it is visible and within the scope. */
export function episodeInScope(scope: RecallScope): SQL {
  return allOf([episodeIsVisible(scope), passes("episode", scope)]);
}

/** The same where the one fact that an episode may claim is joined to it. */
export function episodeInScopeWithFact(scope: RecallScope): SQL {
  return allOf([
    episodeIsThere(scope),
    sql`(facts.id is null or ${factHolds(scope)})`,
    passes("episode", scope),
  ]);
}

/**
 * The numbers of the episodes in scope, read through the index of what narrows it most, as long as
 * a limit that follows asks for more.
 */
export function episodesInScope(scope: RecallScope): SQL {
  const narrow =
    numbersOfNarrowest("episode", scope.filter) ??
    sql`select episodes.id as number from episodes where ${allOf([sql`episodes.deleted_at is null`, ...notYounger(scope, EPISODE_TIMES)])}`;
  return sql`select episodes.id from (${narrow}) narrow ${THEN_JOIN} episodes on episodes.id = narrow.number where ${episodeInScope(scope)}`;
}

/** Nothing of a kind passes a filter on what the kind does not have. */
function passes(kind: MemoryKind, { filter }: RecallScope): SQL | false {
  return filter.length > 0 && (keptCondition(kind, filter) ?? sql`false`);
}

/**
 * Condition on `concepts`: not deleted and not younger. A cluster is as old as its facts, which may
 * be told long after they began to hold; one without a fact that holds is not visible.
 */
export function conceptIsVisible(scope: RecallScope): SQL {
  const isOther = allOf([IS_NO_CLUSTER, ...notYounger(scope, CONCEPT_TIMES)]);
  const hasFact = sql`exists (select 1 from facts inner join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and ${factHolds(scope)} and ${episodeIsThere(scope)})`;
  return allOf([
    sql`concepts.deleted_at is null`,
    scope.isTimed && inTime(sql`concepts.id`),
    sql`(${isOther} or ${hasFact})`,
  ]);
}

/** Condition on `concepts`: it is visible, and within the scope by itself or by one of its facts. */
export function conceptInScope(scope: RecallScope): SQL {
  const visible = conceptIsVisible(scope);
  if (!isNarrowedByChoice(scope)) return visible;
  return sql`${visible} and (${conceptMatchesItself(scope)} or exists (select 1 from facts inner join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and ${factHolds(scope)} and ${episodeInScope(scope)}))`;
}

/**
 * Numbers of all concepts that `conceptInScope` can hold for, and of others, where `among` selects
 * the episodes in scope.
 */
export function conceptsThatMayMatch(scope: RecallScope, among: SQL): SQL {
  const ofFacts = sql`select cluster_id from facts where episode_id in (${among})`;
  if (keptCondition("concept", scope.filter) === undefined) return ofFacts;
  const narrow =
    numbersOfNarrowest("concept", scope.filter) ??
    sql`select concepts.id as number from concepts where ${allOf(notYounger(scope, CONCEPT_TIMES))}`;
  const timed = scope.isTimed ? sql` where ${inTime(sql`narrow.number`)}` : sql``;
  return sql`${ofFacts} union select narrow.number from (${narrow}) narrow${timed}`;
}

/** Condition on `concepts`: it passes the filters by itself, whatever its facts are. */
export function conceptMatchesItself(scope: RecallScope): SQL {
  return allOf([passes("concept", scope), asksForFacts(scope.filter) && IS_NO_CLUSTER]);
}

/** Condition on the episode of a fact that holds. */
function episodeIsThere(scope: RecallScope): SQL {
  return allOf([
    scope.isTimed && inTime(sql`episodes.id`),
    sql`episodes.deleted_at is null`,
    ...notYounger(scope, EPISODE_TIMES),
  ]);
}

/** When records of a kind happened, and when they were written. */
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

/** Conditions on records: they had happened and were written by the times that are looked from. */
export function notYounger(
  { asOf, knownAt }: Pick<RecallScope, "asOf" | "knownAt">,
  { happened, written }: RecordTimes,
): SQL[] {
  return [
    ...(asOf === undefined ? [] : [sql`${happened} <= ${AS_OF}`]),
    ...(knownAt === undefined ? [] : [sql`${written} <= ${KNOWN_AT}`]),
  ];
}

function allOf(conditions: readonly (SQL | false)[]): SQL {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}
