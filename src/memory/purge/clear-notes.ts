import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { rowChanges } from "../events/change.table.ts";
import { LOGGED_BY_NAME } from "../history/logged-tables.ts";
import { PURGED_TEXT } from "./text-columns.ts";

export async function clearNotes(tx: Tx, where: SQL | undefined): Promise<void> {
  const rows = await tx
    .select({ seq: rowChanges.seq, table: rowChanges.tableName, key: rowChanges.rowKey })
    .from(rowChanges)
    .where(where);
  await loadInBatches(
    rows.map(({ seq }) => seq),
    async (slice) => {
      await tx
        .update(rowChanges)
        .set({ before: null, after: null, purged: true })
        .where(inArray(rowChanges.seq, slice));
      return [];
    },
  );
  for (const { seq, table, key } of rows) {
    const logged = LOGGED_BY_NAME.get(table);
    if (logged === undefined || !logged.key.some(({ column }) => isTextKey(column))) continue;
    const [owner] = JSON.parse(key) as [string | number];
    const rowKey = JSON.stringify([owner, ...logged.key.slice(1).map(() => PURGED_TEXT), seq]);
    await tx.update(rowChanges).set({ rowKey }).where(eq(rowChanges.seq, seq));
  }
}

/** Matches composite keys that begin with this number. */
export function keyStartsWith(number: number): SQL | undefined {
  const { rowKey } = rowChanges;
  return and(gte(rowKey, `[${number},`), lt(rowKey, `[${number}-`));
}

/** Matches two-part keys that end with one of these numbers. Unindexed, so batch the numbers. */
export function keyEndsWith(numbers: readonly number[]): SQL {
  const ending = sql`ltrim(${rowChanges.rowKey}, '[0123456789')`;
  return inArray(
    ending,
    numbers.map((number) => `,${number}]`),
  );
}

function isTextKey({ dataType, name }: { dataType: string; name: string }): boolean {
  return dataType === "string" && (name === "key" || name === "value");
}
