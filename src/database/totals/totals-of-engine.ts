import { type SQL, sql } from "drizzle-orm";
import { postgresCodeOf } from "../postgres/postgres-error.ts";
import { TOTALS_TRIGGERS } from "../postgres/totals-triggers.ts";
import { sqliteCodeOf } from "../sqlite/sqlite-error.ts";
import { totalsTriggerNames } from "../sqlite/totals-triggers.ts";
import type { Tx } from "../tx.ts";
import { countAll } from "./counted-rows.ts";
import { MAKE_TOTALS_ANEW } from "./make-totals-anew.ts";

/** The rows that `totals` should have; for all kinds unless some are given. */
export function countedAnew(kinds?: readonly string[]): SQL {
  return sql.raw(countAll(kinds));
}

/** Recounts every row of `totals`. */
export async function makeTotalsAnew(tx: Tx): Promise<void> {
  for (const statement of MAKE_TOTALS_ANEW) await tx.run(sql.raw(statement));
}

/** Lets writes go on without updating `totals` when it cannot be written. */
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

/** SQLSTATE codes for a missing table, column or unique index. */
const NOT_THERE = ["42P01", "42703", "42P10"];

/** Whether a statement failed because `totals` or its triggers are damaged. */
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
