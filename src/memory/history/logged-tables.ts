import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { conceptSources, concepts, evidence, relations } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";
import { episodeEntities, episodeLinks, episodes } from "../episodes/episode.table.ts";
import { SUBJECT_TYPES } from "../events/event.table.ts";
import { facts } from "../facts/fact.table.ts";
import { conceptLabels, episodeLabels } from "../labels/label.table.ts";
import { proposals } from "../proposals/proposal.table.ts";
import { passages, sources } from "../sources/source.table.ts";
import { topics } from "../topics/topic.table.ts";

export interface LoggedTable {
  readonly name: string;
  readonly table: SQLiteTable;
  readonly columns: readonly LoggedColumn[];
  readonly key: readonly LoggedColumn[];
  /** Kind of item that the rows represent or that their key begins with. */
  readonly owner: OwnerKind;
  /** Field of the item that the row represents; undefined if the row is the item itself. */
  readonly field?: string;
}

export interface LoggedColumn {
  readonly name: string;
  readonly property: string;
  readonly column: SQLiteColumn;
  readonly target: string | undefined;
}

/** Only event subjects have a history. */
export const OWNER_KINDS = SUBJECT_TYPES;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** Ordered so that referenced tables come first, apart from references within a table. */
export const LOGGED_TABLES: readonly LoggedTable[] = [
  defineLoggedTable(topics, "topic"),
  defineLoggedTable(entities, "entity"),
  defineLoggedTable(episodes, "episode"),
  defineLoggedTable(episodeEntities, "episode", "entities"),
  defineLoggedTable(episodeLinks, "episode", "links"),
  defineLoggedTable(episodeLabels, "episode", "labels"),
  defineLoggedTable(concepts, "concept"),
  defineLoggedTable(conceptSources, "concept", "sources"),
  defineLoggedTable(conceptLabels, "concept", "labels"),
  defineLoggedTable(evidence, "concept", "evidence"),
  defineLoggedTable(relations, "concept", "relations"),
  defineLoggedTable(facts, "fact"),
  defineLoggedTable(conflicts, "conflict"),
  defineLoggedTable(entityRelations, "entity", "relations"),
  defineLoggedTable(sources, "source"),
  defineLoggedTable(passages, "passage"),
  defineLoggedTable(proposals, "proposal"),
];

export const LOGGED_BY_NAME: ReadonlyMap<string, LoggedTable> = new Map(
  LOGGED_TABLES.map((table) => [table.name, table]),
);

export function itemTable(kind: OwnerKind): LoggedTable {
  const found = LOGGED_TABLES.find(({ owner, field }) => owner === kind && field === undefined);
  if (found === undefined) throw new Error(`There is no table of ${kind}s.`);
  return found;
}

function defineLoggedTable(table: SQLiteTable, owner: OwnerKind, field?: string): LoggedTable {
  const { foreignKeys, primaryKeys } = getTableConfig(table);
  const targets = new Map(
    foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return [columns[0]?.name, getTableName(foreignTable)];
    }),
  );
  const columns = Object.entries(getTableColumns(table)).map(([property, column]) => ({
    name: column.name,
    property,
    column,
    target: targets.get(column.name),
  }));
  const [composite] = primaryKeys;
  const key =
    composite === undefined
      ? columns.filter(({ column }) => column.primary)
      : composite.columns.map((column) => {
          const found = columns.find(({ name }) => name === column.name);
          if (found === undefined) throw new Error(`${column.name} is no column.`);
          return found;
        });
  return { name: getTableName(table), table, columns, key, owner, ...(field && { field }) };
}
