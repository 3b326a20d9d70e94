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
const DERIVED_COLUMNS: readonly SQLiteColumn[] = [facts.statementHash, facts.entityKey];

/**
 * All tables that cannot be derived, referenced tables first. Excludes the text index, vectors and
 * their queue, and entities of clusters.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  defineExportedTable(topics, topics.id),
  defineExportedTable(entities, entities.id),
  defineExportedTable(episodes, episodes.id),
  defineExportedTable(episodeEntities, episodeEntities.episodeId, episodeEntities.entityId),
  defineExportedTable(
    episodeLinks,
    episodeLinks.episodeId,
    episodeLinks.kind,
    episodeLinks.targetId,
  ),
  defineExportedTable(
    episodeLabels,
    episodeLabels.episodeId,
    episodeLabels.key,
    episodeLabels.value,
  ),
  defineExportedTable(concepts, concepts.id),
  defineExportedTable(conceptSources, conceptSources.conceptId, conceptSources.episodeId),
  defineExportedTable(
    conceptLabels,
    conceptLabels.conceptId,
    conceptLabels.key,
    conceptLabels.value,
  ),
  defineExportedTable(evidence, evidence.conceptId, evidence.episodeId),
  defineExportedTable(relations, relations.sourceId, relations.targetId, relations.type),
  defineExportedTable(facts, facts.id),
  defineExportedTable(conflicts, conflicts.id),
  defineExportedTable(
    entityRelations,
    entityRelations.sourceId,
    entityRelations.targetId,
    entityRelations.relation,
  ),
  defineExportedTable(sources, sources.id),
  defineExportedTable(passages, passages.id),
  defineExportedTable(proposals, proposals.id),
  defineExportedTable(events, events.seq),
  defineExportedTable(eventItems, eventItems.item, eventItems.seq),
  defineExportedTable(idempotencyKeys, idempotencyKeys.key),
  defineExportedTable(purgedItems, purgedItems.item),
  // Last, because no notes are recorded for the other rows while there is no change.
  defineExportedTable(changes, changes.id),
  defineExportedTable(rowChanges, rowChanges.seq),
];

function defineExportedTable(table: SQLiteTable, ...key: readonly SQLiteColumn[]): ExportedTable {
  const columns = Object.entries(getTableColumns(table))
    .filter(([, column]) => !DERIVED_COLUMNS.includes(column))
    .map(([property, column]) => ({ name: column.name, property, column }));
  return {
    name: getTableName(table),
    table,
    columns,
    key: columns.filter(({ column }) => key.includes(column)),
  };
}

export function createPlaceholders(table: SQLiteTable): Record<string, unknown> {
  const derived = Object.entries(getTableColumns(table)).filter(([, column]) =>
    DERIVED_COLUMNS.includes(column),
  );
  return Object.fromEntries(derived.map(([property]) => [property, ""]));
}
