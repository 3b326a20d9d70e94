import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
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
export function factHolds({ asOf }: RecallScope): SQL | undefined {
  if (asOf === undefined) return eq(facts.status, "active");
  return and(lte(facts.validFrom, asOf), or(isNull(facts.validTo), gt(facts.validTo, asOf)));
}

/** Condition on `episodes`: not deleted, not younger, and no fact that does not hold. */
export function episodeIsVisible(tx: Tx, scope: RecallScope): SQL | undefined {
  const claimHolds = factHolds(scope) ?? sql`true`;
  return and(
    isNull(episodes.deletedAt),
    scope.asOf === undefined
      ? undefined
      : lte(sql`coalesce(${episodes.occurredAt}, ${episodes.createdAt})`, scope.asOf),
    notExists(
      tx
        .select({ one: sql`1` })
        .from(facts)
        .where(and(eq(facts.episodeId, episodes.id), sql`not (${claimHolds})`)),
    ),
  );
}

/** Condition on `episodes`: it is visible and within the scope. */
export function episodeInScope(tx: Tx, scope: RecallScope): SQL | undefined {
  return and(
    episodeIsVisible(tx, scope),
    scope.topicId === undefined ? undefined : eq(episodes.topicId, scope.topicId),
    ...scope.labels.map(({ key, value }) =>
      inArray(
        episodes.id,
        tx
          .select({ id: episodeLabels.episodeId })
          .from(episodeLabels)
          .where(and(eq(episodeLabels.key, key), eq(episodeLabels.value, value))),
      ),
    ),
    scope.entity === undefined
      ? undefined
      : inArray(
          episodes.id,
          tx
            .select({ id: episodeEntities.episodeId })
            .from(episodeEntities)
            .where(eq(episodeEntities.entityId, scope.entity)),
        ),
  );
}

/**
 * Condition on `concepts`: not deleted and not younger. A cluster is as old as its facts, which may
 * be told long after they began to hold; one without a fact that holds is not visible.
 */
export function conceptIsVisible(tx: Tx, scope: RecallScope): SQL | undefined {
  const isOldEnough = scope.asOf === undefined ? undefined : lte(concepts.createdAt, scope.asOf);
  return and(
    isNull(concepts.deletedAt),
    or(
      and(ne(concepts.type, FACT_CLUSTER), isOldEnough),
      exists(factsOfConcept(tx, scope, episodeIsVisible(tx, scope))),
    ),
  );
}

/** Condition on `concepts`: it is visible, and within the scope by itself or by one of its facts. */
export function conceptInScope(tx: Tx, scope: RecallScope): SQL | undefined {
  const visible = conceptIsVisible(tx, scope);
  if (!isNarrowedByChoice(scope)) return visible;
  return and(visible, or(conceptMatchesItself(tx, scope), throughFacts(tx, scope)));
}

/** Condition on `concepts`: labels and topic are its own, and the entity is its episodes'. */
export function conceptMatchesItself(tx: Tx, scope: RecallScope): SQL | undefined {
  return and(
    sql`true`,
    scope.topicId === undefined ? undefined : eq(concepts.topicId, scope.topicId),
    ...scope.labels.map(({ key, value }) =>
      inArray(
        concepts.id,
        tx
          .select({ id: conceptLabels.conceptId })
          .from(conceptLabels)
          .where(and(eq(conceptLabels.key, key), eq(conceptLabels.value, value))),
      ),
    ),
    scope.entity === undefined
      ? undefined
      : or(
          inArray(concepts.id, sourcesAbout(tx, scope.entity)),
          inArray(concepts.id, evidenceAbout(tx, scope.entity)),
        ),
  );
}

function throughFacts(tx: Tx, scope: RecallScope): SQL {
  return inArray(
    concepts.id,
    tx
      .select({ id: facts.clusterId })
      .from(facts)
      .innerJoin(episodes, eq(episodes.id, facts.episodeId))
      .where(and(factHolds(scope), episodeInScope(tx, scope))),
  );
}

function factsOfConcept(tx: Tx, scope: RecallScope, condition: SQL | undefined) {
  return tx
    .select({ one: sql`1` })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.clusterId, concepts.id), factHolds(scope), condition));
}

function sourcesAbout(tx: Tx, entity: number) {
  return tx
    .select({ id: conceptSources.conceptId })
    .from(conceptSources)
    .where(inArray(conceptSources.episodeId, episodesAbout(tx, entity)));
}

function evidenceAbout(tx: Tx, entity: number) {
  return tx
    .select({ id: evidence.conceptId })
    .from(evidence)
    .where(inArray(evidence.episodeId, episodesAbout(tx, entity)));
}

function episodesAbout(tx: Tx, entity: number) {
  return tx
    .select({ id: episodes.id })
    .from(episodeEntities)
    .innerJoin(episodes, eq(episodes.id, episodeEntities.episodeId))
    .where(and(eq(episodeEntities.entityId, entity), isNull(episodes.deletedAt)));
}
