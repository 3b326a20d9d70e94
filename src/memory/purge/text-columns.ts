import type { LoggedColumn, LoggedTable } from "../history/logged-tables.ts";

/** What stands where text was. */
export const PURGED = "[purged]";

/**
 * Columns that other rows, queries or the feed rely on, and that hold no text of anybody's. Every
 * other column of text is purged, so that a new one cannot be forgotten.
 */
const STRUCTURAL: ReadonlySet<string> = new Set([
  "public_id",
  "episode_type",
  "type",
  "priority",
  "pair",
  "entity_key",
  "relation",
]);

/** Columns of a table that hold what people or agents wrote, outside of its key. */
export function textColumns(table: LoggedTable): LoggedColumn[] {
  return table.columns.filter(
    (logged) =>
      !table.key.includes(logged) &&
      logged.target === undefined &&
      !STRUCTURAL.has(logged.name) &&
      isText(logged) &&
      !/(?:_at|_from|_to)$/.test(logged.name),
  );
}

function isText({ column }: LoggedColumn): boolean {
  if (column.enumValues !== undefined && column.enumValues.length > 0) return false;
  return column.dataType === "string" || column.dataType === "json";
}

/** The value that takes the place of text. */
export function tombstone({ column, name }: LoggedColumn): unknown {
  if (!column.notNull) return null;
  if (column.dataType === "json") return [];
  return name === "summary" || name === "description" ? "" : PURGED;
}
