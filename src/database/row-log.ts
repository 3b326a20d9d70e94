import { type SQL, sql } from "drizzle-orm";
import { byEngine } from "./by-engine.ts";
import type { Tx } from "./tx.ts";

/** Logs every row of a table as made by the newest change. */
export async function noteAllRows(
  tx: Tx,
  { table, key }: { table: string; key: readonly string[] },
): Promise<void> {
  const rows = sql.identifier(table);
  const columns = key.map((name) => sql.identifier(name));
  const change = sql`(select max(id) from changes)`;
  await tx.run(
    byEngine({
      sqlite: sql`insert into row_changes(change_id, table_name, row_key, action) select ${change}, ${table}, json_array(${sql.join(columns, sql`, `)}), 'insert' from ${rows}`,
      postgres: sql`insert into row_changes(seq, change_id, table_name, row_key, action) select (select coalesce(max(seq), 0) from row_changes) + row_number() over (order by ${sql.join(columns, sql`, `)}), ${change}, ${table}, ${imageOfKey(columns)}, 'insert' from ${rows} order by ${sql.join(columns, sql`, `)}`,
    }),
  );
}

function imageOfKey(columns: readonly SQL[] | readonly unknown[]): SQL {
  const images = columns.map((column) => sql`image_of(${column})`);
  return sql`'[' || concat_ws(',', ${sql.join(images, sql`, `)}) || ']'`;
}

export async function keepNumbersUsed(tx: Tx, table: string): Promise<void> {
  if (tx.engine === "postgres") {
    await tx.run(
      sql`insert into used_numbers(table_name, number) select ${table}, max((row_key::json ->> 0)::bigint) from row_changes where table_name = ${table} having max(seq) is not null on conflict (table_name) do update set number = greatest(used_numbers.number, excluded.number)`,
    );
    return;
  }
  const last = sql`(select max(json_extract(row_key, '$[0]')) from row_changes where table_name = ${table})`;
  await tx.run(
    sql`insert into sqlite_sequence(name, seq) select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
  );
  await tx.run(
    sql`update sqlite_sequence set seq = max(seq, coalesce(${last}, 0)) where name = ${table}`,
  );
}
