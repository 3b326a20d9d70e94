import { type SQL, sql } from "drizzle-orm";
import {
  inTime,
  numbersNamed,
  type QueryShape,
  type QueryValues,
  THEN_JOIN,
  type Tx,
} from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { RecallRequest } from "./recall.schema.ts";

// The conditions are plain text with named placeholders, so that a query is composed once a shape.

/** What recall may see, and what its search is narrowed to. */
export interface RecallScope extends QueryShape {
  /** Of the placeholders in every condition here. */
  readonly values: QueryValues;
  /** Timestamp; undefined: now. */
  readonly asOf: string | undefined;
  readonly labels: readonly LabelRecord[];
  readonly topicId: string | undefined;
  /** Number of the entity that is asked for. */
  readonly entity: number | undefined;
  /** Whether the statements look at the time, so that none of them runs past it. */
  readonly isTimed: boolean;
}

/** Undefined when the entity that is asked for is not known: then nothing is found. */
export async function resolveScope(
  tx: Tx,
  request: RecallRequest,
): Promise<RecallScope | undefined> {
  const { topic, entity } = request;
  const row = entity === undefined ? undefined : await findEntity(tx, parseEntity(entity));
  if (entity !== undefined && row === undefined) return undefined;
  return describeScope({
    asOf: request.as_of,
    labels: request.labels ?? [],
    topicId: topic === undefined ? undefined : (await requireTopic(tx, topic, "topic")).id,
    entity: row?.id,
    isTimed: request.timeout_ms !== undefined,
  });
}

/** The same for statements that are short, and done whatever the time. */
export function untimed(scope: RecallScope): RecallScope {
  return scope.isTimed ? describeScope({ ...scope, isTimed: false }) : scope;
}

function describeScope(scope: Omit<RecallScope, "shape" | "values">): RecallScope {
  const { asOf, labels, topicId, entity, isTimed } = scope;
  const pairs = labels.flatMap(({ key, value }, index) => [
    [`labelKey${index}`, key],
    [`labelValue${index}`, value],
  ]);
  return {
    ...scope,
    shape: `asOf ${asOf !== undefined}, ${labels.length} labels, topic ${topicId !== undefined}, entity ${entity !== undefined}, timed ${isTimed}`,
    values: { asOf, topicId, entity, ...Object.fromEntries(pairs) },
  };
}

/** Whether the search is narrowed, by more than what is visible to everybody now. */
export function isNarrow(scope: RecallScope): boolean {
  return scope.asOf !== undefined || isNarrowedByChoice(scope);
}

/** Whether by more than a time. */
export function isNarrowedByChoice({ labels, topicId, entity }: RecallScope): boolean {
  return labels.length > 0 || topicId !== undefined || entity !== undefined;
}

/** Condition on `facts`: it holds at that time. */
export function factHolds({ asOf }: RecallScope): SQL {
  if (asOf === undefined) return sql`facts.status = 'active'`;
  return sql`(facts.valid_from <= ${AS_OF} and (facts.valid_to is null or facts.valid_to > ${AS_OF}))`;
}

const AS_OF = sql.placeholder("asOf");
const TOPIC = sql.placeholder("topicId");
const ENTITY = sql.placeholder("entity");
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
  return allOf([episodeIsVisible(scope), ...narrowing(scope)]);
}

/** What `held` reads through holds already. */
function narrowing(scope: RecallScope, held?: Narrowest): (SQL | false)[] {
  const { topicId, entity, labels } = scope;
  return [
    topicId !== undefined && held !== "topic" && sql`episodes.topic_id = ${TOPIC}`,
    ...labels.map((_, index) => (held !== "label" || index > 0) && hasLabel("episode", index)),
    entity !== undefined &&
      held !== "entity" &&
      sql`exists (select 1 from episode_entities where episode_entities.episode_id = episodes.id and episode_entities.entity_id = ${ENTITY})`,
  ];
}

/** The same where the one fact that an episode may claim is joined to it. */
export function episodeInScopeWithFact(scope: RecallScope): SQL {
  return allOf([
    episodeIsThere(scope),
    sql`(facts.id is null or ${factHolds(scope)})`,
    ...narrowing(scope),
  ]);
}

/**
 * The numbers of the episodes in scope, read through the index of what narrows it most, as long as
 * a limit that follows asks for more.
 */
export function episodesInScope(scope: RecallScope): SQL {
  const held = narrowestOf(scope);
  const condition = allOf([episodeIsVisible(scope), ...narrowing(scope, held)]);
  return sql`select episodes.id from ${narrowed(held)} where ${condition}`;
}

type Narrowest = "entity" | "label" | "topic" | "time";

function narrowestOf({ labels, topicId, entity }: RecallScope): Narrowest {
  if (entity !== undefined) return "entity";
  if (labels.length > 0) return "label";
  return topicId !== undefined ? "topic" : "time";
}

function narrowed(by: Narrowest): SQL {
  if (by === "entity") {
    return sql`(select episode_id from episode_entities where entity_id = ${ENTITY}) narrow ${THEN_JOIN} episodes on episodes.id = narrow.episode_id`;
  }
  if (by === "label") {
    return sql`(select episode_id from episode_labels where key = ${sql.placeholder("labelKey0")} and value = ${sql.placeholder("labelValue0")}) narrow ${THEN_JOIN} episodes on episodes.id = narrow.episode_id`;
  }
  if (by === "topic") {
    return sql`(select id as episode_id from episodes where topic_id = ${TOPIC}) narrow ${THEN_JOIN} episodes on episodes.id = narrow.episode_id`;
  }
  return sql`(select id as episode_id from episodes where deleted_at is null and coalesce(occurred_at, created_at) <= ${AS_OF}) narrow ${THEN_JOIN} episodes on episodes.id = narrow.episode_id`;
}

/**
 * Condition on `concepts`: not deleted and not younger. A cluster is as old as its facts, which may
 * be told long after they began to hold; one without a fact that holds is not visible.
 */
export function conceptIsVisible(scope: RecallScope): SQL {
  const isOther = allOf([
    sql.raw(`concepts.type <> '${FACT_CLUSTER}'`),
    scope.asOf !== undefined && sql`concepts.created_at <= ${AS_OF}`,
  ]);
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
 * Numbers of all concepts that `conceptInScope` can hold for, and of others, where `among` names
 * the episodes in scope.
 */
export function conceptsThatMayMatch(scope: RecallScope): SQL {
  const { topicId, labels, entity } = scope;
  const timed = (row: string) => (scope.isTimed ? sql` and ${inTime(sql.raw(row))}` : sql``);
  const ofFacts = sql`select cluster_id from facts where episode_id in (${numbersNamed("among")})`;
  if (entity !== undefined) {
    const about = sql`select episode_id from episode_entities where entity_id = ${ENTITY}${timed("episode_id")}`;
    return sql`${ofFacts} union select concept_id from concept_sources where episode_id in (${about}) union select concept_id from evidence where episode_id in (${about})`;
  }
  if (labels.length > 0) {
    return sql`${ofFacts} union select concept_id from concept_labels where key = ${sql.placeholder("labelKey0")} and value = ${sql.placeholder("labelValue0")}${timed("concept_id")}`;
  }
  if (topicId !== undefined) {
    return sql`${ofFacts} union select id from concepts where topic_id = ${TOPIC}${timed("id")}`;
  }
  return sql`${ofFacts} union select id from concepts where created_at <= ${AS_OF}${timed("id")}`;
}

/** Condition on `concepts`: labels and topic are its own, and the entity is its episodes'. */
export function conceptMatchesItself({ topicId, labels, entity }: RecallScope): SQL {
  return allOf([
    topicId !== undefined && sql`concepts.topic_id = ${TOPIC}`,
    ...labels.map((_, index) => hasLabel("concept", index)),
    entity !== undefined &&
      sql`(exists (select 1 from concept_sources where concept_sources.concept_id = concepts.id and ${isAbout("concept_sources")}) or exists (select 1 from evidence where evidence.concept_id = concepts.id and ${isAbout("evidence")}))`,
  ]);
}

/** Condition on the episode of a fact that holds. */
function episodeIsThere({ asOf, isTimed }: RecallScope): SQL {
  return allOf([
    isTimed && inTime(sql`episodes.id`),
    sql`episodes.deleted_at is null`,
    asOf !== undefined && sql`${HAPPENED_AT} <= ${AS_OF}`,
  ]);
}

function hasLabel(kind: IndexedKind, index: number): SQL {
  const labels = sql.identifier(`${kind}_labels`);
  const items = sql.identifier(`${kind}s`);
  return sql`exists (select 1 from ${labels} where ${labels}.${sql.identifier(`${kind}_id`)} = ${items}.id and ${labels}.key = ${sql.placeholder(`labelKey${index}`)} and ${labels}.value = ${sql.placeholder(`labelValue${index}`)})`;
}

/** Condition on a table of links: its episode is there and mentions the entity. */
function isAbout(link: "concept_sources" | "evidence"): SQL {
  const table = sql.identifier(link);
  return sql`exists (select 1 from episode_entities inner join episodes on episodes.id = episode_entities.episode_id where episode_entities.episode_id = ${table}.episode_id and episode_entities.entity_id = ${ENTITY} and episodes.deleted_at is null)`;
}

function allOf(conditions: readonly (SQL | false)[]): SQL {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}
