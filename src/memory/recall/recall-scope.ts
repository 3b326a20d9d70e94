import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { conceptSources, concepts, evidence } from "../concepts/concept.table.ts";
import { findEntity } from "../entities/entity.queries.ts";
import { parseEntity } from "../entities/parse-entity.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { conceptLabels, episodeLabels } from "../labels/label.table.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { RecallRequest } from "./recall.schema.ts";

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
  if (asOf === undefined) return sql`${facts.status} = 'active'`;
  return sql`(${facts.validFrom} <= ${asOf} and (${facts.validTo} is null or ${facts.validTo} > ${asOf}))`;
}

/** Condition on `episodes`: not deleted, not younger, and no fact that does not hold. */
export function episodeIsVisible(scope: RecallScope): SQL {
  const { asOf } = scope;
  return allOf([
    sql`${episodes.deletedAt} is null`,
    asOf !== undefined && sql`coalesce(${episodes.occurredAt}, ${episodes.createdAt}) <= ${asOf}`,
    sql`not exists (select 1 from ${facts} where ${facts.episodeId} = ${episodes.id} and not ${factHolds(scope)})`,
  ]);
}

/** Condition on `episodes`: it is visible and within the scope. */
export function episodeInScope(scope: RecallScope): SQL {
  const { topicId, entity } = scope;
  return allOf([
    episodeIsVisible(scope),
    topicId !== undefined && sql`${episodes.topicId} = ${topicId}`,
    ...scope.labels.map(
      ({ key, value }) =>
        sql`${episodes.id} in (select ${episodeLabels.episodeId} from ${episodeLabels} where ${episodeLabels.key} = ${key} and ${episodeLabels.value} = ${value})`,
    ),
    entity !== undefined &&
      sql`${episodes.id} in (select ${episodeEntities.episodeId} from ${episodeEntities} where ${episodeEntities.entityId} = ${entity})`,
  ]);
}

/**
 * Condition on `concepts`: not deleted and not younger. A cluster is as old as its facts, which may
 * be told long after they began to hold; one without a fact that holds is not visible.
 */
export function conceptIsVisible(scope: RecallScope): SQL {
  const isOther = allOf([
    sql`${concepts.type} <> ${FACT_CLUSTER}`,
    scope.asOf !== undefined && sql`${concepts.createdAt} <= ${scope.asOf}`,
  ]);
  const hasFact = sql`exists (select 1 from ${FACTS_WITH_EPISODES} where ${facts.clusterId} = ${concepts.id} and ${factHolds(scope)} and ${episodeIsThere(scope)})`;
  return sql`${concepts.deletedAt} is null and (${isOther} or ${hasFact})`;
}

/** Condition on `concepts`: it is visible, and within the scope by itself or by one of its facts. */
export function conceptInScope(scope: RecallScope): SQL {
  const visible = conceptIsVisible(scope);
  if (!isNarrowedByChoice(scope)) return visible;
  return sql`${visible} and (${conceptMatchesItself(scope)} or ${concepts.id} in (select ${facts.clusterId} from ${FACTS_WITH_EPISODES} where ${factHolds(scope)} and ${episodeInScope(scope)}))`;
}

/** Condition on `concepts`: labels and topic are its own, and the entity is its episodes'. */
export function conceptMatchesItself({ topicId, labels, entity }: RecallScope): SQL {
  return allOf([
    topicId !== undefined && sql`${concepts.topicId} = ${topicId}`,
    ...labels.map(
      ({ key, value }) =>
        sql`${concepts.id} in (select ${conceptLabels.conceptId} from ${conceptLabels} where ${conceptLabels.key} = ${key} and ${conceptLabels.value} = ${value})`,
    ),
    entity !== undefined &&
      sql`(${concepts.id} in (select ${conceptSources.conceptId} from ${conceptSources} where ${conceptSources.episodeId} in (${episodesAbout(entity)})) or ${concepts.id} in (select ${evidence.conceptId} from ${evidence} where ${evidence.episodeId} in (${episodesAbout(entity)})))`,
  ]);
}

const FACTS_WITH_EPISODES = sql`${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId}`;

/** Condition on the episode of a fact that holds. */
function episodeIsThere({ asOf }: RecallScope): SQL {
  return allOf([
    sql`${episodes.deletedAt} is null`,
    asOf !== undefined && sql`coalesce(${episodes.occurredAt}, ${episodes.createdAt}) <= ${asOf}`,
  ]);
}

function episodesAbout(entity: number): SQL {
  return sql`select ${episodes.id} from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.entityId} = ${entity} and ${episodes.deletedAt} is null`;
}

function allOf(conditions: readonly (SQL | false)[]): SQL {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}
