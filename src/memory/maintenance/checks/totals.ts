import { sql } from "drizzle-orm";
import {
  countedAnew,
  makeTotalsAnew,
  recoverably,
  schemaParts,
  type Tx,
} from "../../../database/index.ts";
import { isCairnError } from "../../../shared/errors.ts";
import { problemOf, problemOfRows } from "../../context/problem.ts";
import { canReadTotals } from "../../totals/load-totals.ts";
import { stopTotals, totalsAreKept, totalsAreStopped } from "../../totals/stop-totals.ts";
import type { Check } from "../check.ts";

export const totals: Check = {
  name: "totals",
  about: "as many items are counted as there are",
  isDerived: true,
  async find(tx) {
    if (await totalsAreStopped(tx)) {
      return problemOf("Totals are not kept, because they could not be written.", ["totals"]);
    }
    if (!(await canCount(tx))) {
      return problemOf(
        "What totals are made of is gone, in part or as a whole.",
        ["totals"],
        false,
      );
    }
    const kept = sql`select kind, name, part, total from totals where total <> 0`;
    const counted = sql`select * from (${countedAnew()}) counted`;
    return problemOfRows(
      tx,
      "Totals are not what the rows add up to.",
      sql`select distinct kind as item from (select * from (${kept} except ${counted}) further union all select * from (${counted} except ${kept}) missing) differing order by 1`,
    );
  },
  async fix(tx) {
    if (!(await canCount(tx))) return;
    await stopTotals(tx);
    // Pages that are damaged cannot be given back: the check of the file tells of that.
    if (!(await canReadTotals(tx))) return;
    await remakeTable(tx);
    await makeTotalsAnew(tx);
    await totalsAreKept(tx);
  },
};

/** Rows of a table that is gone cannot be counted: another check tells of that. */
async function canCount(tx: Tx): Promise<boolean> {
  try {
    await recoverably(tx, async () =>
      tx.all(sql`select kind from (${countedAnew()}) counted limit 1`),
    );
    return true;
  } catch (error) {
    if (isCairnError(error)) throw error;
    return false;
  }
}

/** Whatever became of the table and its triggers. */
async function remakeTable(tx: Tx): Promise<void> {
  const { expected } = await schemaParts(tx);
  await tx.run(sql`drop table if exists totals`);
  for (const part of expected) {
    if (/^totals(_|$)/.test(part.name)) await tx.run(sql.raw(part.sql));
  }
}
