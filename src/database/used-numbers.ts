import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";

export async function highestNumberUsed(
  tx: Tx,
  { table, column }: { table: string; column: string },
): Promise<number | null> {
  const last = sql`select max(${sql.identifier(column)}) from ${sql.identifier(table)}`;
  const [row] =
    tx.engine === "sqlite"
      ? await tx.all<{ number: number | null }>(
          sql`select seq as number from sqlite_sequence where name = ${table}`,
        )
      : await tx.all<{ number: number | null }>(
          sql`select greatest((${last}), (select number from used_numbers where table_name = ${table})) as number`,
        );
  return row?.number ?? null;
}

export async function catchUpNumbers(
  tx: Tx,
  { table, column }: { table: string; column: string },
): Promise<void> {
  if (tx.engine !== "sqlite") return;
  const last = sql`(select coalesce(max(${sql.identifier(column)}), 0) from ${sql.identifier(table)})`;
  await tx.run(
    sql`insert into sqlite_sequence(name, seq) select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
  );
  await tx.run(sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`);
}
