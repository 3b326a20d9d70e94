import type { LoggedColumn, LoggedTable } from "../history/logged-tables.ts";

export const PURGED_TEXT = "[purged]";

const STRUCTURAL_COLUMNS: ReadonlySet<string> = new Set([
  "public_id",
  "episode_type",
  "type",
  "priority",
  "pair",
  "entity_key",
  "relation",
]);

export function textColumns(table: LoggedTable): LoggedColumn[] {
  return table.columns.filter(
    (logged) =>
      !table.key.includes(logged) &&
      logged.target === undefined &&
      !STRUCTURAL_COLUMNS.has(logged.name) &&
      isText(logged) &&
      !/(?:_at|_from|_to)$/.test(logged.name),
  );
}

function isText({ column }: LoggedColumn): boolean {
  if (column.enumValues !== undefined && column.enumValues.length > 0) return false;
  return column.dataType === "string" || column.dataType === "json";
}

export function tombstone({ column, name }: LoggedColumn): unknown {
  if (!column.notNull) return null;
  if (column.dataType === "json") return [];
  return name === "summary" || name === "description" ? "" : PURGED_TEXT;
}
