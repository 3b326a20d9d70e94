import { sql } from "drizzle-orm";
import { getRows, type Tx } from "../../database/index.ts";
import { filterCondition } from "../filters/filter-condition.ts";
import { FILTERED } from "../filters/filtered-kinds.ts";
import type { RecordFilter } from "../filters/resolve-filter.ts";
import type { ItemKind } from "./item-kinds.ts";

export const BUCKETS = ["day", "week", "month", "year"] as const;

export type Bucket = (typeof BUCKETS)[number];

export const GROUPS = ["type", "kind", "by"] as const;

export type Group = (typeof GROUPS)[number];

export interface TimelineQuery {
  readonly kinds: readonly ItemKind[];
  readonly filter: RecordFilter;
  readonly bucket: Bucket;
  readonly group: Group;
}

export interface TimelineBucket {
  /** First day of the bucket, `2026-03-30`. */
  readonly start: string;
  count: number;
  readonly by: Record<string, number>;
}

/** Counts items per non-empty bucket, oldest first. Days are in UTC. */
export async function countBuckets(tx: Tx, query: TimelineQuery): Promise<TimelineBucket[]> {
  const buckets = new Map<string, TimelineBucket>();
  for (const kind of new Set(query.kinds)) {
    for (const [day, value, count] of await countDays(tx, query, kind)) {
      const start = bucketStart(day, query.bucket);
      const bucket = buckets.get(start) ?? { start, count: 0, by: {} };
      buckets.set(start, bucket);
      bucket.count += count;
      bucket.by[value] = (bucket.by[value] ?? 0) + count;
    }
  }
  return [...buckets.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
}

async function countDays(
  tx: Tx,
  { filter, group }: TimelineQuery,
  kind: ItemKind,
): Promise<[day: string, value: string, count: number][]> {
  const condition = filterCondition(kind, filter);
  if (condition === undefined) return [];
  const { from, at, type, author } = FILTERED[kind];
  const values = { type, kind: sql.raw(`'${kind}'`), by: author ?? sql`null` };
  return getRows(
    tx,
    sql`select substr(${at}, 1, 10) as day, coalesce(${values[group]}, '') as value, count(*)
      from ${from} where ${condition} group by 1, 2 order by 1, 2`,
  );
}

/** Weeks begin on Monday. */
function bucketStart(day: string, bucket: Bucket): string {
  if (bucket === "day") return day;
  if (bucket === "month") return `${day.slice(0, 7)}-01`;
  if (bucket === "year") return `${day.slice(0, 4)}-01-01`;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
