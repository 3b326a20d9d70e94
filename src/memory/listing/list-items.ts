import { type SQL, sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx } from "../../database/index.ts";
import { buildFilterCondition } from "../filters/filter-condition.ts";
import { FILTERED_TABLES } from "../filters/filtered-kinds.ts";
import type { RecordFilter } from "../filters/resolve-filter.ts";
import { matchTexts } from "../search/match-texts.ts";
import { parseQueryWords } from "../search/query-words.ts";
import { type Position, readCursor, writeCursor } from "./cursor.ts";
import type { ItemRecord } from "./item.schema.ts";
import { ITEM_KINDS, type ItemKind } from "./item-kinds.ts";
import { loadItems } from "./load-items.ts";

/**
 * `newest` and `oldest`: by time of occurrence; `updated`: by last change; `best`: by recall score.
 */
export const SORTS = ["newest", "oldest", "updated", "best"] as const;

export type Sort = (typeof SORTS)[number];

export interface ItemQuery {
  readonly kinds: readonly ItemKind[];
  readonly filter: RecordFilter;
  readonly sort: Sort;
  /** Query of `best`; without it, `best` equals `newest`. */
  readonly text?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ItemPage {
  readonly items: ItemRecord[];
  readonly nextCursor: string | null;
}

/**
 * Returns one page of items of several kinds. Starts after the cursor's position instead of an
 * offset, so that concurrent writes neither repeat nor hide items.
 */
export async function listItems(tx: Tx, query: ItemQuery): Promise<ItemPage> {
  const { sort, limit } = query;
  const behind = query.cursor === undefined ? undefined : readCursor(query.cursor, sort);
  const found: Position[] = [];
  const scores = sort === "best" ? await loadScores(tx, query) : undefined;
  for (const kind of new Set(query.kinds)) {
    const page = { kind, behind };
    found.push(
      ...(scores === undefined
        ? await loadPositions(tx, query, page)
        : await loadBestPositions(tx, query, { ...page, ranked: scores[kind] ?? new Map() })),
    );
  }
  found.sort(sort === "oldest" ? comparePositions : (a, b) => comparePositions(b, a));
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

/** Ranked items of each kind; the others follow, newest first. */
const MAX_RANKED = 500;

type Scores = ReadonlyMap<number, number>;

async function loadScores(
  tx: Tx,
  { text = "" }: ItemQuery,
): Promise<Partial<Record<ItemKind, Scores>>> {
  const requests = (["episode", "concept"] as const).map((kind) => ({ kind, limit: MAX_RANKED }));
  const { episode, concept } = await matchTexts(tx, parseQueryWords(text), requests);
  const toMap = (matches: typeof episode) =>
    new Map(matches.map(({ number, score }) => [number, score]));
  return { episode: toMap(episode), fact: toMap(episode), concept: toMap(concept) };
}

interface RankedPositions {
  readonly kind: ItemKind;
  readonly behind: Position | undefined;
  readonly ranked: Scores;
}

/** Ranked items by score, then the others, newest first. Score keys sort above time keys. */
async function loadBestPositions(
  tx: Tx,
  query: ItemQuery,
  { kind, behind, ranked }: RankedPositions,
): Promise<Position[]> {
  const condition = buildFilterCondition(kind, query.filter);
  if (condition === undefined) return [];
  const { from, number, episode = number } = FILTERED_TABLES[kind];
  const isRanked = sql`${episode} in (${numberSet(ranked.keys())})`;
  const index = ITEM_KINDS.indexOf(kind);
  const isBehindScores = behind !== undefined && !behind.key.startsWith(SCORE_PREFIX);
  const best: Position[] = [];
  if (!isBehindScores && ranked.size > 0) {
    const rows = await selectRows<[scored: number, number: number]>(
      tx,
      sql`select ${episode} as scored, ${number} as number from ${from} where ${condition} and ${isRanked}`,
    );
    for (const [scored, found] of rows) {
      const key = `${SCORE_PREFIX}${(ranked.get(scored) ?? 0).toFixed(9).padStart(20, "0")}`;
      const position = { sort: query.sort, key, kind: index, number: found };
      if (behind === undefined || comparePositions(position, behind) < 0) best.push(position);
    }
  }
  best.sort((a, b) => comparePositions(b, a));
  if (best.length > query.limit) return best.slice(0, query.limit + 1);
  const others = sql`not (${isRanked})`;
  const rest = isBehindScores ? behind : undefined;
  return [...best, ...(await loadPositions(tx, query, { kind, behind: rest, others }))];
}

const SCORE_PREFIX = "~";

async function loadPositions(
  tx: Tx,
  { filter, sort, limit }: ItemQuery,
  {
    kind,
    behind,
    others = sql`true`,
  }: { kind: ItemKind; behind: Position | undefined; others?: SQL },
): Promise<Position[]> {
  const condition = buildFilterCondition(kind, filter);
  if (condition === undefined) return [];
  const { from, number, at, updated } = FILTERED_TABLES[kind];
  const kindIndex = ITEM_KINDS.indexOf(kind);
  const key = sort === "updated" ? updated : at;
  const direction = sql.raw(sort === "oldest" ? "asc" : "desc");
  const next =
    behind === undefined ? sql`true` : isBehind({ key, number, kindIndex: kindIndex }, behind);
  const rows = await selectRows<[key: string, number: number]>(
    tx,
    sql`select ${key} as sort_key, ${number} as number from ${from}
      where ${condition} and ${next} and ${others}
      order by ${key} ${direction}, ${number} ${direction} limit ${limit + 1}`,
  );
  return rows.map(([value, found]) => ({ sort, key: value, kind: kindIndex, number: found }));
}

function isBehind(
  { key, number, kindIndex }: { key: SQL; number: SQL; kindIndex: number },
  behind: Position,
): SQL {
  const isRising = behind.sort === "oldest";
  const after = sql.raw(isRising ? ">" : "<");
  const orAt = sql.raw(isRising ? ">=" : "<=");
  if (kindIndex === behind.kind) {
    return sql`${key} ${orAt} ${behind.key} and (${key} ${after} ${behind.key} or ${number} ${after} ${behind.number})`;
  }
  const isComplete = isRising ? kindIndex > behind.kind : kindIndex < behind.kind;
  return isComplete ? sql`${key} ${orAt} ${behind.key}` : sql`${key} ${after} ${behind.key}`;
}

function comparePositions(a: Position, b: Position): number {
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
    const condition = buildFilterCondition(kind, filter);
    if (condition === undefined) continue;
    const [row] = await selectRows<[total: number]>(
      tx,
      sql`select count(*) from ${FILTERED_TABLES[kind].from} where ${condition}`,
    );
    total += row?.[0] ?? 0;
  }
  return total;
}
