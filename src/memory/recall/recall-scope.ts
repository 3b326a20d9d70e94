import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { RecallRequest } from "./recall.schema.ts";

// The conditions are plain text: composed of column objects, building them took as long as running.

/** What recall may see, and what its search is narrowed to. */
export interface RecallScope {
  /** Timestamp; undefined: now. */
  readonly asOf: string | undefined;
  readonly labels: readonly LabelRecord[];
  readonly topicId: string | undefined;
  /** Number of the entity that is asked for. */
  readonly entity: number | undefined;
}

/** Undefined when the entity that is asked for is not known: then nothing is found. */
export async function resolveScope(
  tx: Tx,
  request: RecallRequest,
): Promise<RecallScope | undefined> {
  const { topic, entity } = request;
  const row = entity === undefined ? undefined : await findEntity(tx, parseEntity(entity));
  if (entity !== undefined && row === undefined) return undefined;
  return {
    asOf: request.as_of,
    labels: request.labels ?? [],
    topicId: topic === undefined ? undefined : (await requireTopic(tx, topic, "topic")).id,
    entity: row?.id,
  };
}

/** Whether the search is narrowed, by more than what is visible to everybody now. */
export function isNarrow(scope: RecallScope): boolean {
  return scope.asOf !== undefined || isNarrowedByChoice(scope);
}

function isNarrowedByChoice({ labels, topicId, entity }: RecallScope): boolean {
  return labels.length > 0 || topicId !== undefined || entity !== undefined;
}

/** Condition on `facts`: it holds at that time. */
export function factHolds({ asOf }: RecallScope): SQL {
  if (asOf === undefined) return sql`facts.status = 'active'`;
  return sql`(facts.valid_from <= ${asOf} and (facts.valid_to is null or facts.valid_to > ${asOf}))`;
}

/** Condition on `episodes`: not deleted, not younger, and no fact that does not hold. */
export function episodeIsVisible(scope: RecallScope): SQL {
  const { asOf } = scope;
  return allOf([
    sql`episodes.deleted_at is null`,
    asOf !== undefined && sql`coalesce(episodes.occurred_at, episodes.created_at) <= ${asOf}`,
    sql`not exists (select 1 from facts where facts.episode_id = episodes.id and not ${factHolds(scope)})`,
  ]);
}

/** Condition on `episodes`: it is visible and within the scope. */
export function episodeInScope(scope: RecallScope): SQL {
  const { topicId, entity } = scope;
  return allOf([
    episodeIsVisible(scope),
    topicId !== undefined && sql`episodes.topic_id = ${topicId}`,
    ...scope.labels.map(
      ({ key, value }) =>
        sql`episodes.id in (select episode_labels.episode_id from episode_labels where episode_labels.key = ${key} and episode_labels.value = ${value})`,
    ),
    entity !== undefined &&
      sql`episodes.id in (select episode_entities.episode_id from episode_entities where episode_entities.entity_id = ${entity})`,
  ]);
}

/**
 * Condition on `concepts`: not deleted and not younger. A cluster is as old as its facts, which may
 * be told long after they began to hold; one without a fact that holds is not visible.
 */
export function conceptIsVisible(scope: RecallScope): SQL {
  const isOther = allOf([
    sql`concepts.type <> ${FACT_CLUSTER}`,
    scope.asOf !== undefined && sql`concepts.created_at <= ${scope.asOf}`,
  ]);
  const hasFact = sql`exists (select 1 from facts inner join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and ${factHolds(scope)} and ${episodeIsThere(scope)})`;
  return sql`concepts.deleted_at is null and (${isOther} or ${hasFact})`;
}

/** Condition on `concepts`: it is visible, and within the scope by itself or by one of its facts. */
export function conceptInScope(scope: RecallScope): SQL {
  const visible = conceptIsVisible(scope);
  if (!isNarrowedByChoice(scope)) return visible;
  return sql`${visible} and (${conceptMatchesItself(scope)} or concepts.id in (select facts.cluster_id from facts inner join episodes on episodes.id = facts.episode_id where ${factHolds(scope)} and ${episodeInScope(scope)}))`;
}

/** Condition on `concepts`: labels and topic are its own, and the entity is its episodes'. */
export function conceptMatchesItself({ topicId, labels, entity }: RecallScope): SQL {
  return allOf([
    topicId !== undefined && sql`concepts.topic_id = ${topicId}`,
    ...labels.map(
      ({ key, value }) =>
        sql`concepts.id in (select concept_labels.concept_id from concept_labels where concept_labels.key = ${key} and concept_labels.value = ${value})`,
    ),
    entity !== undefined &&
      sql`(concepts.id in (select concept_sources.concept_id from concept_sources where concept_sources.episode_id in (${episodesAbout(entity)})) or concepts.id in (select evidence.concept_id from evidence where evidence.episode_id in (${episodesAbout(entity)})))`,
  ]);
}

/** Condition on the episode of a fact that holds. */
function episodeIsThere({ asOf }: RecallScope): SQL {
  return allOf([
    sql`episodes.deleted_at is null`,
    asOf !== undefined && sql`coalesce(episodes.occurred_at, episodes.created_at) <= ${asOf}`,
  ]);
}

function episodesAbout(entity: number): SQL {
  return sql`select episodes.id from episode_entities inner join episodes on episodes.id = episode_entities.episode_id where episode_entities.entity_id = ${entity} and episodes.deleted_at is null`;
}

function allOf(conditions: readonly (SQL | false)[]): SQL {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}
