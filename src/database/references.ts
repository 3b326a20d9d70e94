import { type SQL, sql } from "drizzle-orm";
import { byEngine } from "./by-engine.ts";
import type { Tx } from "./tx.ts";

/** A row that refers to a missing row. */
export interface BrokenReference {
  readonly table: string;
  /** Identifies the row within its table; later rows have higher values. */
  readonly row: number | string | null;
  /** The table in which the referenced row is missing. */
  readonly parent: string;
}

/** The column by which the engine itself addresses a row. */
export const ROW_PLACE: SQL = byEngine({ sqlite: sql`rowid`, postgres: sql`ctid` });

export async function brokenReferences(tx: Tx): Promise<BrokenReference[]> {
  if (tx.engine === "sqlite") {
    return tx.all<BrokenReference>(
      sql`select "table", rowid as "row", parent from pragma_foreign_key_check`,
    );
  }
  const broken: BrokenReference[] = [];
  for (const { table, column, parent, target } of await referencesOf(tx)) {
    const [from, to] = [sql.identifier(table), sql.identifier(parent)];
    const refers = sql`referring.${sql.identifier(column)}`;
    const rows = await tx.all<{ row: string }>(
      sql`select ctid::text as "row" from ${from} referring where ${refers} is not null and not exists (select 1 from ${to} meant where meant.${sql.identifier(target)} = ${refers}) order by ctid`,
    );
    broken.push(...rows.map(({ row }) => ({ table, row, parent })));
  }
  return broken;
}

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly target: string;
}

function referencesOf(tx: Tx): Promise<Reference[]> | Reference[] {
  return tx.all<Reference>(sql`
    select child.relname as "table", own.attname as "column", parent.relname as parent, other.attname as target
    from pg_catalog.pg_constraint
    join pg_catalog.pg_class child on child.oid = conrelid
    join pg_catalog.pg_class parent on parent.oid = confrelid
    join pg_catalog.pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_catalog.pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`);
}
