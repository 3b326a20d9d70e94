import {
  Column,
  is,
  isSQLWrapper,
  Name,
  Param,
  Placeholder,
  SQL,
  type SQLChunk,
  StringChunk,
  Subquery,
  sql,
  Table,
  View,
} from "drizzle-orm";

/** A part of a statement that differs between engines. */
class EngineSql extends SQL {
  readonly postgres: SQL;

  constructor(words: { readonly sqlite: SQL; readonly postgres: SQL }) {
    super([words.sqlite]);
    this.postgres = words.postgres;
  }
}

/**
 * SQL that differs between engines. It reads as SQLite's words until `forPostgres` replaces them, so whoever
 * composes a statement need not know the engine.
 */
export function byEngine(words: { readonly sqlite: SQL; readonly postgres: SQL }): SQL {
  return new EngineSql(words);
}

/** The statement with PostgreSQL's words put in. */
export function forPostgres(statement: SQL): SQL {
  if (statement instanceof EngineSql) return forPostgres(statement.postgres);
  const queryChunks = statement.queryChunks.map(translate);
  return Object.assign(new SQL([]), statement, { queryChunks });
}

function translate(chunk: SQLChunk): SQLChunk {
  if (Array.isArray(chunk)) return chunk.map(translate);
  if (is(chunk, SQL)) return forPostgres(chunk);
  if (is(chunk, Subquery)) {
    const { sql: inner, selectedFields, alias, isWith } = chunk._;
    return isWith ? chunk : new Subquery(forPostgres(inner), selectedFields, alias);
  }
  return isQuery(chunk) ? sql`(${forPostgres(chunk.getSQL())})` : chunk;
}

/** Parts of a statement that contain no other parts. */
const PARTS = [StringChunk, Name, Column, Table, View, Param, Placeholder, SQL.Aliased] as const;

/** True if a part is a query of Drizzle's builder. */
function isQuery(chunk: SQLChunk): chunk is SQLChunk & { getSQL(): SQL } {
  return isSQLWrapper(chunk) && !PARTS.some((part) => is(chunk, part));
}
