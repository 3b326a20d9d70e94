import { type SQL, sql } from "drizzle-orm";
import { rowsOf, type Tx } from "../../database/index.ts";
import { filterCondition } from "../filters/filter-condition.ts";
import { FILTERED } from "../filters/filtered-kinds.ts";
import type { RecordFilter } from "../filters/resolve-filter.ts";
import { type Position, readCursor, writeCursor } from "./cursor.ts";
import type { ItemRecord } from "./item.schema.ts";
import { ITEM_KINDS, type ItemKind } from "./item-kinds.ts";
import { loadItems } from "./load-items.ts";

/** Orders of a list; `newest` and `oldest` by when it happened, `updated` by the last change. */
export const SORTS = ["newest", "oldest", "updated"] as const;

export type Sort = (typeof SORTS)[number];

export interface ItemQuery {
  readonly kinds: readonly ItemKind[];
  readonly filter: RecordFilter;
  readonly sort: Sort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ItemPage {
  readonly items: ItemRecord[];
  readonly nextCursor: string | null;
}

/**
 * One page of items of several kinds. Starts after the cursor's position rather than at an offset,
 * so that concurrent writes neither repeat nor hide items.
 */
export async function listItems(tx: Tx, query: ItemQuery): Promise<ItemPage> {
  const { sort, limit } = query;
  const behind = query.cursor === undefined ? undefined : readCursor(query.cursor, sort);
  const found: Position[] = [];
  for (const kind of new Set(query.kinds)) {
    found.push(...(await positionsOf(tx, query, { kind, behind })));
  }
  found.sort(sort === "oldest" ? compare : (a, b) => compare(b, a));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: await loadItems(
      tx,
      page.map(({ kind, number }) => ({ kind: ITEM_KINDS[kind] ?? "episode", number })),
    ),
    nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null,
  };
}

async function positionsOf(
  tx: Tx,
  { filter, sort, limit }: ItemQuery,
  { kind, behind }: { kind: ItemKind; behind: Position | undefined },
): Promise<Position[]> {
  const condition = filterCondition(kind, filter);
  if (condition === undefined) return [];
  const { from, number, at, updated } = FILTERED[kind];
  const place = ITEM_KINDS.indexOf(kind);
  const key = sort === "updated" ? updated : at;
  const direction = sql.raw(sort === "oldest" ? "asc" : "desc");
  const next = behind === undefined ? sql`true` : isBehind({ key, number, place }, behind);
  const rows = await rowsOf<[key: string, number: number]>(
    tx,
    sql`select ${key} as sort_key, ${number} as number from ${from}
      where ${condition} and ${next}
      order by ${key} ${direction}, ${number} ${direction} limit ${limit + 1}`,
  );
  return rows.map(([value, found]) => ({ sort, key: value, kind: place, number: found }));
}

function isBehind(
  { key, number, place }: { key: SQL; number: SQL; place: number },
  behind: Position,
): SQL {
  const isRising = behind.sort === "oldest";
  const after = sql.raw(isRising ? ">" : "<");
  const orAt = sql.raw(isRising ? ">=" : "<=");
  if (place === behind.kind) {
    return sql`${key} ${orAt} ${behind.key} and (${key} ${after} ${behind.key} or ${number} ${after} ${behind.number})`;
  }
  const isWhole = isRising ? place > behind.kind : place < behind.kind;
  return isWhole ? sql`${key} ${orAt} ${behind.key}` : sql`${key} ${after} ${behind.key}`;
}

function compare(a: Position, b: Position): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.kind - b.kind || a.number - b.number;
}

export async function countItems(
  tx: Tx,
  kinds: readonly ItemKind[],
  filter: RecordFilter,
): Promise<number> {
  let total = 0;
  for (const kind of new Set(kinds)) {
    const condition = filterCondition(kind, filter);
    if (condition === undefined) continue;
    const [row] = await rowsOf<[total: number]>(
      tx,
      sql`select count(*) from ${FILTERED[kind].from} where ${condition}`,
    );
    total += row?.[0] ?? 0;
  }
  return total;
}
