import { getTableColumns, type SQL } from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteInsertConfig } from "drizzle-orm/sqlite-core";
import { isNumbered, nextNumber } from "../numbered-rows.ts";
import { forPostgres } from "../select-by-engine.ts";

/**
 * One dialect for all engines: Drizzle generates SQLite SQL, and this class overrides what
 * PostgreSQL does not accept.
 */
export class PostgresDialect extends SQLiteAsyncDialect {
  override escapeParam(index: number): string {
    return `$${index + 1}`;
  }

  /** Omits auto-numbered columns: SQLite numbers a row with `null`, PostgreSQL does not. */
  override buildInsertQuery(config: SQLiteInsertConfig): SQL {
    const { table, values, select } = config;
    const numbered = Object.entries(getTableColumns(table)).find(([, one]) => isNumbered(one));
    if (numbered === undefined || select === true || !Array.isArray(values)) {
      return super.buildInsertQuery(config);
    }
    const [property, column] = numbered;
    const rows = values.map((row, index) =>
      row[property] === undefined ? { ...row, [property]: nextNumber(column, index) } : row,
    );
    return super.buildInsertQuery({ ...config, values: rows });
  }

  override sqlToQuery(statement: SQL, source?: "indexes") {
    const query = super.sqlToQuery(forPostgres(statement), source);
    return { ...query, sql: withPlainTargets(query.sql) };
  }
}

function withPlainTargets(statement: string): string {
  return statement.replace(/ on conflict \(("[^()]*")\)/g, (_, columns: string) => {
    return ` on conflict (${columns.replace(/"[^"]+"\.("[^"]+")/g, "$1")})`;
  });
}
