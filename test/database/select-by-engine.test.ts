import { eq, sql } from "drizzle-orm";
import {
  integer,
  QueryBuilder,
  SQLiteAsyncDialect,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { forPostgres, selectByEngine } from "../../src/database/select-by-engine.ts";

const notes = sqliteTable("notes", { id: integer("id").primaryKey(), body: text("body") });
const greeting = selectByEngine({
  sqlite: sql`hello(${1})`,
  postgres: sql`${2} || good_day(${3})`,
});
const dialect = new SQLiteAsyncDialect();

const onSqlite = (statement: ReturnType<typeof sql>) => dialect.sqlToQuery(statement);
const onPostgres = (statement: ReturnType<typeof sql>) =>
  dialect.sqlToQuery(forPostgres(statement));

describe("a statement with variants per engine", () => {
  it("uses SQLite's or PostgreSQL's variant with its parameters", () => {
    const statement = sql`select ${greeting} where ${sql.join([greeting, sql`true`], sql` and `)}`;
    expect(onSqlite(statement)).toMatchObject({
      sql: "select hello(?) where hello(?) and true",
      params: [1, 1],
    });
    expect(onPostgres(statement)).toMatchObject({
      sql: "select ? || good_day(?) where ? || good_day(?) and true",
      params: [2, 3, 2, 3],
    });
  });

  it("supports variants nested in queries, subqueries and lists", () => {
    const nested = selectByEngine({ sqlite: sql`never`, postgres: sql`(${greeting})` });
    const among = new QueryBuilder().select({ id: notes.id }).from(notes).where(nested).as("among");
    const query = new QueryBuilder()
      .select({ id: among.id, told: sql`${greeting}`.as("told") })
      .from(among)
      .where(eq(among.id, sql`${[greeting, "end"]}`));
    const { sql: output, params } = onPostgres(sql`with q as ${query} select 1`);
    expect(output).not.toMatch(/never|hello/);
    expect(output.match(/good_day/g)).toHaveLength(3);
    expect(params).toEqual([2, 3, 2, 3, 2, 3, "end"]);
  });

  it("does not modify the original statement", () => {
    const statement = sql`select ${greeting}`;
    onPostgres(statement);
    expect(onSqlite(statement).sql).toBe("select hello(?)");
  });
});
