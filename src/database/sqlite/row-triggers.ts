import { NOT_LOGGED } from "../not-logged.ts";
import type { Connection } from "./open-connection.ts";

interface Column {
  readonly name: string;
  /** Position in the primary key from 1; 0 for other columns. */
  readonly pk: number;
}

/**
 * Makes the database itself note, for each row that is written, which change wrote it and what it
 * was before: whatever statement writes cannot go around it, and a savepoint that is rolled back
 * takes its notes along. Runs after each migration, so that the notes know every column.
 *
 * An entry of `row_changes` belongs to the newest of `changes`. While there is none, which is only
 * so while an import fills a new database, nothing is noted. An insert keeps no image (the row is
 * its own), an update the columns that differ, before and after, a delete the whole row.
 */
export function installRowLog(connection: Connection): void {
  for (const name of triggerNames(connection)) connection.exec(`DROP TRIGGER "${name}"`);
  for (const table of loggedTables(connection)) {
    const columns = connection.pragma(`table_info("${table}")`) as Column[];
    for (const statement of triggersOf(table, columns)) connection.exec(statement);
  }
}

export function loggedTables(connection: Connection): string[] {
  const rows = connection
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all() as { name: string }[];
  const names = rows.map(({ name }) => name);
  return names.filter((name) => !NOT_LOGGED.includes(name) && !isInternal(name));
}

/** True if the table belongs to SQLite itself or to the text and vector indexes. */
function isInternal(name: string): boolean {
  return /^sqlite_|^[a-z]+_(?:text|bits)(?:_|$)/.test(name);
}

function triggerNames(connection: Connection): string[] {
  const rows = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'row_log_%'")
    .all() as { name: string }[];
  return rows.map(({ name }) => name);
}

function triggersOf(table: string, columns: readonly Column[]): string[] {
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const keyOf = (row: string) =>
    `json_array(${key.map(({ name }) => `${row}."${name}"`).join(", ")})`;
  const differs = columns.map(({ name }) => `old."${name}" IS NOT new."${name}"`);
  const whole = columns.map(({ name }) => `'${name}', old."${name}"`).join(", ");
  const changed = (row: string) =>
    `(SELECT json_group_object(name, value) FROM (${columns
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, ${row}."${name}" AS value WHERE old."${name}" IS NOT new."${name}"`,
      )
      .join(" UNION ALL ")}))`;
  return [
    trigger(table, "insert", { key: keyOf("new"), before: "NULL", after: "NULL" }),
    trigger(table, "update", {
      key: keyOf("old"),
      before: changed("old"),
      after: changed("new"),
      when: `(${differs.join(" OR ")})`,
    }),
    trigger(table, "delete", { key: keyOf("old"), before: `json_object(${whole})`, after: "NULL" }),
  ];
}

const NEWEST_CHANGE = "(SELECT max(id) FROM changes)";

function trigger(
  table: string,
  action: "insert" | "update" | "delete",
  entry: { key: string; before: string; after: string; when?: string },
): string {
  const when = [`${NEWEST_CHANGE} IS NOT NULL`, ...(entry.when === undefined ? [] : [entry.when])];
  return (
    `CREATE TRIGGER "row_log_${table}_${action}" AFTER ${action.toUpperCase()} ON "${table}" ` +
    `WHEN ${when.join(" AND ")} BEGIN ` +
    "INSERT INTO row_changes(change_id, table_name, row_key, action, before, after) " +
    `VALUES (${NEWEST_CHANGE}, '${table}', ${entry.key}, '${action}', ${entry.before}, ${entry.after}); END`
  );
}
