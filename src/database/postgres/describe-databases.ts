import type { ClientBase } from "pg";
import type { StoredDatabase } from "../database.ts";
import { escapeIdentifier, escapeLiteral, schemaName } from "./database-names.ts";

export interface NamedSchema {
  readonly number: number;
  readonly name: string;
}

interface Size {
  readonly schema: string;
  readonly size: string;
  readonly has_changes: boolean;
}

export async function describeDatabases(
  client: ClientBase,
  path: string,
  databases: readonly NamedSchema[],
): Promise<StoredDatabase[]> {
  if (databases.length === 0) return [];
  const schemas = databases.map(({ number }) => schemaName(path, number));
  const { rows } = await client.query<Size>(
    `select nspname as schema, sum(pg_total_relation_size(pg_class.oid)) as size,
        bool_or(relname = 'changes') as has_changes
      from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
      where nspname in (${schemas.map(escapeLiteral).join(", ")}) and relkind = 'r' group by nspname`,
  );
  const sizes = new Map(rows.map((row) => [row.schema, Number(row.size)]));
  const modified = await lastChanges(
    client,
    rows.filter((row) => row.has_changes).map(({ schema }) => schema),
  );
  return databases.map(({ number, name }) => {
    const schema = schemaName(path, number);
    return { name, size: sizes.get(schema) ?? 0, modified_at: modified.get(schema) ?? "" };
  });
}

async function lastChanges(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Map<string, string>> {
  if (schemas.length === 0) return new Map();
  const each = schemas.map((schema) => {
    const newest = `select ts from ${escapeIdentifier(schema)}.changes order by id desc limit 1`;
    return `select ${escapeLiteral(schema)} as schema, (${newest}) as ts`;
  });
  const { rows } = await client.query<{ schema: string; ts: string | null }>(
    each.join(" union all "),
  );
  return new Map(rows.map(({ schema, ts }) => [schema, ts ?? ""]));
}
