import { EventLoopYielder } from "../../../shared/async.ts";
import type { RowChange, RowImage, RowKey } from "../describe-rows.ts";
import { imageOf } from "../describe-rows.ts";
import { LOGGED_BY_NAME, LOGGED_TABLES, type LoggedTable } from "../logged-tables.ts";

/** The overall effect on one row of taking back some changes. */
export interface RowEffect {
  readonly table: LoggedTable;
  readonly key: RowKey;
  readonly rowKey: string;
  readonly action: "insert" | "update" | "delete";
  /** The columns as they will be; for an insert all of them. */
  readonly values: RowImage;
  /** The current columns, as far as known. */
  readonly now: RowImage;
  readonly changes: ReadonlySet<number>;
  /** Number of the oldest logged row among them. */
  readonly first: number;
}

/** The net effect on each row of taking back these logged rows, with tables in the order of references. */
export async function rowEffects(rows: readonly RowChange[]): Promise<RowEffect[]> {
  const byRow = new Map<string, RowChange[]>();
  for (const row of rows) {
    const place = `${row.tableName} ${row.rowKey}`;
    const known = byRow.get(place);
    if (known === undefined) byRow.set(place, [row]);
    else known.push(row);
  }
  const effects: RowEffect[] = [];
  const turn = new EventLoopYielder();
  for (const ofRow of byRow.values()) {
    effects.push(...effectOf(ofRow));
    await turn.yieldIfDue();
  }
  const order = new Map(LOGGED_TABLES.map((table, index) => [table, index]));
  return effects.sort(
    (a, b) =>
      (order.get(a.table) ?? 0) - (order.get(b.table) ?? 0) ||
      firstChangeOf(a) - firstChangeOf(b) ||
      compareKeys(a.key, b.key),
  );
}

export function firstChangeOf({ changes }: Pick<RowEffect, "changes">): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const change of changes) first = Math.min(first, change);
  return first;
}

/** Rows of one change by their keys: engines log the rows of one statement in different orders. */
function compareKeys(a: RowKey, b: RowKey): number {
  for (const [place, value] of a.entries()) {
    const other = b[place];
    if (value === other || other === undefined) continue;
    if (typeof value === "number" && typeof other === "number") return value - other;
    return String(value) < String(other) ? -1 : 1;
  }
  return 0;
}

/** Combines the log entries of one row, oldest first, by walking backwards through them. */
function effectOf(entries: readonly RowChange[]): RowEffect[] {
  const [oldest] = entries;
  const newest = entries.at(-1);
  const table = LOGGED_BY_NAME.get(oldest?.tableName ?? "");
  if (oldest === undefined || newest === undefined || table === undefined) return [];
  let whole: RowImage | undefined;
  let patch: RowImage = {};
  let now: RowImage = {};
  let exists = true;
  for (const entry of [...entries].reverse()) {
    const before = imageOf(entry.before);
    now = { ...imageOf(entry.after), ...now };
    if (entry.action === "insert") {
      exists = false;
    } else if (entry.action === "delete") {
      exists = true;
      whole = before;
    } else if (whole === undefined) {
      patch = { ...patch, ...before };
    } else {
      whole = { ...whole, ...before };
    }
  }
  const existsNow = newest.action !== "delete";
  const shared = {
    table,
    key: JSON.parse(oldest.rowKey) as RowKey,
    rowKey: oldest.rowKey,
    now,
    changes: new Set(entries.map(({ changeId }) => changeId)),
    first: oldest.seq,
  };
  if (!exists) return existsNow ? [{ ...shared, action: "delete", values: {} }] : [];
  if (existsNow) return [{ ...shared, action: "update", values: whole ?? patch }];
  return [{ ...shared, action: "insert", values: whole ?? {} }];
}
