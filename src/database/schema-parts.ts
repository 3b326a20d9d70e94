import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";
import {
  filterLogged,
  LOGGED_TABLES_QUERY,
  type LoggedRows,
  Migrations,
  rowTrigger,
} from "./postgres/migrations.ts";
import type { SchemaPart, SchemaParts } from "./schema-part.ts";
import { SqliteDatabase } from "./sqlite/sqlite-database.ts";

async function postgresParts(tx: Tx): Promise<SchemaParts> {
  const logged = filterLogged(await tx.all<LoggedRows>(sql.raw(LOGGED_TABLES_QUERY)));
  const triggers = logged.map((table) => ({
    type: "trigger",
    name: `row_log on ${table.name}`,
    table: table.name,
    sql: rowTrigger(table),
  }));
  const expected = [...parseScripts(), ...triggers];
  return { expected, actual: await loadActualParts(tx) };
}

function parseScripts(): SchemaPart[] {
  const parts = new Map<string, SchemaPart>();
  const scripts = Migrations.released().all.map(({ sql: script }) => script());
  for (const statement of scripts.join("\n").split(/;\n/)) {
    const dropped = /^DROP INDEX "?(\w+)"?/m.exec(statement);
    if (dropped !== null) parts.delete(`index ${dropped[1]}`);
    const [, altered = "", column = ""] =
      /^ALTER TABLE "(\w+)" ADD ("\w+" [^;]+)$/m.exec(statement) ?? [];
    const table = parts.get(`table ${altered}`);
    if (table !== undefined) parts.set(`table ${altered}`, addColumn(table, column));
    const part = parsePart(statement);
    if (part !== undefined) parts.set(`${part.type} ${part.name}`, part);
  }
  return [...parts.values()].sort((a, b) => partRank(a) - partRank(b));
}

/** Adds a later migration's column to the table definition. */
function addColumn(table: SchemaPart, column: string): SchemaPart {
  return { ...table, sql: table.sql.replace(/\)\s*$/, `, ${column})`) };
}

const partRank = ({ type }: SchemaPart) => ["table", "index", "trigger"].indexOf(type);

function parsePart(statement: string): SchemaPart | undefined {
  const created = /^CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER) "?(\w+)"?/m.exec(statement);
  if (created === null) return undefined;
  const [, kind = "", name = ""] = created;
  const type = kind.toLowerCase();
  const table = type === "table" ? name : (/ ON "?(\w+)"?/.exec(statement)?.[1] ?? "");
  return {
    type,
    name: type === "trigger" ? `${name} on ${table}` : name,
    table,
    sql: statement.slice(created.index),
  };
}

async function loadActualParts(tx: Tx): Promise<Omit<SchemaPart, "sql">[]> {
  return tx.all<Omit<SchemaPart, "sql">>(sql`
    select 'table' as type, tablename as name, tablename as "table" from pg_catalog.pg_tables where schemaname = current_schema()
    union all select 'index', indexname, tablename from pg_catalog.pg_indexes where schemaname = current_schema()
    union all select 'trigger', tgname || ' on ' || relname, relname from pg_catalog.pg_trigger join pg_catalog.pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = current_schema()::regnamespace`);
}

const EXCLUDED_PART = /^(sqlite_|(episode|concept)_(text|bits)(_|$))/;

/** An earlier schema is expected as it is: the next write upgrades it. */
async function sqliteParts(tx: Tx): Promise<SchemaParts> {
  const template = new SqliteDatabase({ path: ":memory:" });
  try {
    const actual = await loadParts(tx);
    const [expected, newest] = await template.read(async (fresh) =>
      Promise.all([loadParts(fresh), loadVersion(fresh)]),
    );
    return { expected: (await loadVersion(tx)) < newest ? actual : expected, actual };
  } finally {
    await template.close();
  }
}

async function loadParts(tx: Tx): Promise<SchemaPart[]> {
  const parts = await tx.all<SchemaPart>(
    sql`select type, name, tbl_name as "table", sql from sqlite_schema where sql is not null order by type = 'table' desc, rowid`,
  );
  return parts.filter(({ name }) => !EXCLUDED_PART.test(name));
}

async function loadVersion(tx: Tx): Promise<number> {
  const row = await tx.get<{ user_version: number }>(sql`pragma user_version`);
  return row?.user_version ?? 0;
}

export function schemaParts(tx: Tx): Promise<SchemaParts> {
  return tx.engine === "sqlite" ? sqliteParts(tx) : postgresParts(tx);
}
