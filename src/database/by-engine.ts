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

/** A piece of a statement that each engine reads in its own words. */
class EngineSql extends SQL {
  readonly postgres: SQL;

  constructor(words: { readonly sqlite: SQL; readonly postgres: SQL }) {
    super([words.sqlite]);
    this.postgres = words.postgres;
  }
}

/**
 * Whoever composes a statement need not know the engine: this reads as SQLite's words until
 * `forPostgres` puts the others in their place.
 */
export function byEngine(words: { readonly sqlite: SQL; readonly postgres: SQL }): SQL {
  return new EngineSql(words);
}

/** The statement in the words of PostgreSQL. */
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

/** Parts that hold no other ones. */
const PARTS = [StringChunk, Name, Column, Table, View, Param, Placeholder, SQL.Aliased] as const;

/** A query of Drizzle's builder within a statement. */
function isQuery(chunk: SQLChunk): chunk is SQLChunk & { getSQL(): SQL } {
  return isSQLWrapper(chunk) && !PARTS.some((part) => is(chunk, part));
}
