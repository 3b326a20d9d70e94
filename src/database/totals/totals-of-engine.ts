import { type SQL, sql } from "drizzle-orm";
import { postgresCodeOf } from "../postgres/postgres-error.ts";
import { TOTALS_TRIGGERS } from "../postgres/totals-triggers.ts";
import { sqliteCodeOf } from "../sqlite/sqlite-error.ts";
import { totalsTriggerNames } from "../sqlite/totals-triggers.ts";
import type { Tx } from "../tx.ts";
import { countAll } from "./counted-rows.ts";
import { MAKE_TOTALS_ANEW } from "./make-totals-anew.ts";

/** The rows of `totals` as the rows of now would have them; of all kinds unless some are given. */
export function countedAnew(kinds?: readonly string[]): SQL {
  return sql.raw(countAll(kinds));
}

/** Counts every row anew. */
export async function makeTotalsAnew(tx: Tx): Promise<void> {
  for (const statement of MAKE_TOTALS_ANEW) await tx.run(sql.raw(statement));
}

/** Lets writes go on without keeping `totals`, which cannot be written. */
export async function dropTotalsTriggers(tx: Tx): Promise<void> {
  if (tx.engine === "sqlite") {
    for (const name of await totalsTriggerNames(tx)) {
      await tx.run(sql`drop trigger ${sql.identifier(name)}`);
    }
    return;
  }
  for (const { name, table } of TOTALS_TRIGGERS) {
    await tx.run(sql.raw(`drop trigger if exists ${name} on ${table}`));
  }
}

/** Codes of PostgreSQL for what is not there: a table, a column, a unique index. */
const NOT_THERE = ["42P01", "42703", "42P10"];

/** Whether a statement failed because what keeps `totals`, or the table itself, is not whole. */
export function isDamageOfTotals(error: unknown): boolean {
  const isDamage =
    sqliteCodeOf(error) === "SQLITE_ERROR" || NOT_THERE.includes(postgresCodeOf(error) ?? "");
  return isDamage && namesTotals(error);
}

function namesTotals(error: unknown): boolean {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return false;
  const where = "where" in inner ? String(inner.where) : "";
  return /\btotals\b/.test(`${inner.message} ${where}`);
}
