import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { conceptSources, concepts, evidence, relations } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { idempotencyKeys, purgedItems } from "../context/meta.table.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";
import { episodeEntities, episodeLinks, episodes } from "../episodes/episode.table.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import { facts } from "../facts/fact.table.ts";
import { conceptLabels, episodeLabels } from "../labels/label.table.ts";
import { proposals } from "../proposals/proposal.table.ts";
import { passages, sources } from "../sources/source.table.ts";
import { topics } from "../topics/topic.table.ts";

export interface ExportedTable {
  readonly name: string;
  readonly table: SQLiteTable;
  readonly columns: readonly ExportedColumn[];
  readonly key: readonly ExportedColumn[];
}

export interface ExportedColumn {
  readonly name: string;
  readonly property: string;
  readonly column: SQLiteColumn;
}

/** Derived columns, which an import recomputes. */
const DERIVED: readonly SQLiteColumn[] = [facts.statementHash, facts.entityKey];

/**
 * All tables that cannot be derived, referenced tables first. Excludes the text index, vectors and
 * their queue, and entities of clusters.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  exported(topics, topics.id),
  exported(entities, entities.id),
  exported(episodes, episodes.id),
  exported(episodeEntities, episodeEntities.episodeId, episodeEntities.entityId),
  exported(episodeLinks, episodeLinks.episodeId, episodeLinks.kind, episodeLinks.targetId),
  exported(episodeLabels, episodeLabels.episodeId, episodeLabels.key, episodeLabels.value),
  exported(concepts, concepts.id),
  exported(conceptSources, conceptSources.conceptId, conceptSources.episodeId),
  exported(conceptLabels, conceptLabels.conceptId, conceptLabels.key, conceptLabels.value),
  exported(evidence, evidence.conceptId, evidence.episodeId),
  exported(relations, relations.sourceId, relations.targetId, relations.type),
  exported(facts, facts.id),
  exported(conflicts, conflicts.id),
  exported(
    entityRelations,
    entityRelations.sourceId,
    entityRelations.targetId,
    entityRelations.relation,
  ),
  exported(sources, sources.id),
  exported(passages, passages.id),
  exported(proposals, proposals.id),
  exported(events, events.seq),
  exported(eventItems, eventItems.item, eventItems.seq),
  exported(idempotencyKeys, idempotencyKeys.key),
  exported(purgedItems, purgedItems.item),
  // Last, because no notes are recorded for the other rows while there is no change.
  exported(changes, changes.id),
  exported(rowChanges, rowChanges.seq),
];

function exported(table: SQLiteTable, ...key: readonly SQLiteColumn[]): ExportedTable {
  const columns = Object.entries(getTableColumns(table))
    .filter(([, column]) => !DERIVED.includes(column))
    .map(([property, column]) => ({ name: column.name, property, column }));
  return {
    name: getTableName(table),
    table,
    columns,
    key: columns.filter(({ column }) => key.includes(column)),
  };
}

export function placeholders(table: SQLiteTable): Record<string, unknown> {
  const derived = Object.entries(getTableColumns(table)).filter(([, column]) =>
    DERIVED.includes(column),
  );
  return Object.fromEntries(derived.map(([property]) => [property, ""]));
}
