import { readdirSync } from "node:fs";
import { join } from "node:path";
import { is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it, onTestFinished } from "vitest";
import { LOGGED_TABLES } from "../../../src/memory/history/logged-tables.ts";
import { packageRoot } from "../../../src/shared/package.ts";
import { openEmptyDatabase } from "../../support/describe-on-every-engine.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** 1 if NOT NULL. */
  readonly required: number;
  /** Position in the primary key from 1, or 0. */
  readonly key: number;
}

/** Column types that both engines have. */
const KINDS: readonly (readonly [kind: string, type: RegExp])[] = [
  ["number", /^(integer|bigint|boolean)$/],
  ["real", /^(real|double precision)$/],
  ["bytes", /^(blob|bytea)$/],
  ["text", /^text/],
];

const kindOf = (type: string) =>
  KINDS.find(([, pattern]) => pattern.test(type.toLowerCase()))?.[0] ?? type;

/** Formats a column as `table.column: kind` with its constraints. */
const lineOf = ({ table, name, type, required, key }: ColumnRow) =>
  `${table}.${name}: ${kindOf(type)}${required === 1 || key > 0 ? " required" : ""}${key > 0 ? ` key ${key}` : ""}`;

async function columnsOn(engine: "sqlite" | "postgres"): Promise<ColumnRow[]> {
  const { database, [Symbol.asyncDispose]: end } = openEmptyDatabase(engine);
  onTestFinished(end);
  await database.write(() => Promise.resolve());
  return database.read(async (tx) =>
    tx.all<ColumnRow>(
      engine === "sqlite"
        ? sql`select m.name as "table", c.name, c.type, c."notnull" as required, c.pk as key
            from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.cid`
        : sql`select c.table_name as "table", c.column_name as name, c.data_type as type,
            case when c.is_nullable = 'NO' then 1 else 0 end as required,
            coalesce((select k.ordinal_position from information_schema.table_constraints t
              join information_schema.key_column_usage k on k.constraint_name = t.constraint_name
                and k.table_schema = t.table_schema and k.table_name = t.table_name
              where t.constraint_type = 'PRIMARY KEY' and t.table_schema = c.table_schema
                and t.table_name = c.table_name and k.column_name = c.column_name), 0) as key
            from information_schema.columns c where c.table_schema = current_schema()
            order by c.table_name collate "C", c.ordinal_position`,
    ),
  );
}

async function declaredTables(): Promise<ColumnRow[]> {
  const folder = join(packageRoot(), "src/memory");
  const rows: ColumnRow[] = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".table.ts")) continue;
    const exported: Record<string, unknown> = await import(join(folder, path));
    for (const table of Object.values(exported)) {
      if (!is(table, SQLiteTable)) continue;
      const { name, columns, primaryKeys } = getTableConfig(table);
      const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      rows.push(
        ...columns.map((column) => ({
          table: name,
          name: column.name,
          type: column.getSQLType(),
          required: column.notNull ? 1 : 0,
          key: column.primary ? 1 : composite.indexOf(column.name) + 1,
        })),
      );
    }
  }
  return rows;
}

const linesOf = (rows: readonly ColumnRow[], tables: ReadonlySet<string>) =>
  rows
    .filter(({ table }) => tables.has(table))
    .map(lineOf)
    .sort();

describeOnPostgres("the tables of both engines", () => {
  it("have the columns that the sources declare, of the same kind and under the same keys", async () => {
    const declared = await declaredTables();
    const tables = new Set(declared.map(({ table }) => table));
    expect(tables.size).toBeGreaterThan(15);
    const expected = linesOf(declared, tables);
    const onSqlite = await columnsOn("sqlite");
    const onPostgres = await columnsOn("postgres");
    expect(linesOf(onSqlite, tables)).toEqual(expected);
    expect(linesOf(onPostgres, tables)).toEqual(expected);
  });

  it("retain the number of every deleted logged row", async () => {
    const numbered = LOGGED_TABLES.filter(({ key: [first, ...others] }) => {
      return first?.column.dataType === "number" && others.length === 0;
    });
    const { database, [Symbol.asyncDispose]: end } = openEmptyDatabase("postgres");
    onTestFinished(end);
    await database.write(() => Promise.resolve());
    const kept = await database.read(async (tx) =>
      tx.all<{ table: string }>(
        sql`select event_object_table as "table" from information_schema.triggers
          where trigger_name = 'keep_number' and trigger_schema = current_schema()`,
      ),
    );
    const tables = kept.map(({ table }) => table);
    expect(tables).toEqual(expect.arrayContaining(numbered.map(({ name }) => name)));
    expect(numbered.length).toBeGreaterThan(7);
  });

  it("differs only in the indexes and PostgreSQL's own counters", async () => {
    const namesOn = async (engine: "sqlite" | "postgres") => [
      ...new Set((await columnsOn(engine)).map(({ table }) => table)),
    ];
    const [onSqlite, onPostgres] = [await namesOn("sqlite"), await namesOn("postgres")];
    const isOwn = (name: string) =>
      /^(sqlite_|.*_text(_|$)|vector_signs|.*vector|text_|indexed_|used_numbers|token)/.test(name);
    expect(onSqlite.filter((name) => !isOwn(name)).sort()).toEqual(
      onPostgres.filter((name) => !isOwn(name)).sort(),
    );
  });
});
