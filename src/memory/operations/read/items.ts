import { sql } from "drizzle-orm";
import { z } from "zod";
import { selectRows, type Tx } from "../../../database/index.ts";
import { yieldToEventLoop } from "../../../shared/async.ts";
import { shortenLine } from "../../../shared/text.ts";
import { buildFilterCondition, filterFields } from "../../filters/filter-condition.ts";
import { FILTERED_TABLES } from "../../filters/filtered-kinds.ts";
import { type RecordFilter, resolveFilter } from "../../filters/resolve-filter.ts";
import { nameListField } from "../../input/fields.ts";
import { countFacets, FACETS } from "../../listing/count-facets.ts";
import { type ItemRecord, itemRecord } from "../../listing/item.schema.ts";
import { ITEM_KINDS, type ItemKind } from "../../listing/item-kinds.ts";
import { countItems, listItems, SORTS } from "../../listing/list-items.ts";
import { quoteNameForModel } from "../../presentation/quote-for-model.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

const BUCKET_SIZES = ["day", "week", "month", "year"] as const;

type Bucket = (typeof BUCKET_SIZES)[number];

const GROUP_FIELDS = ["type", "kind", "by"] as const;

type Group = (typeof GROUP_FIELDS)[number];

interface TimelineQuery {
  readonly kinds: readonly ItemKind[];
  readonly filter: RecordFilter;
  readonly bucket: Bucket;
  readonly group: Group;
}

interface TimelineBucket {
  /** First day of the bucket, `2026-03-30`. */
  readonly start: string;
  count: number;
  readonly by: Record<string, number>;
}

/** Counts items per non-empty bucket, oldest first. Days are in UTC. */
async function countBuckets(tx: Tx, query: TimelineQuery): Promise<TimelineBucket[]> {
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
  const condition = buildFilterCondition(kind, filter);
  if (condition === undefined) return [];
  const { from, at, type, author } = FILTERED_TABLES[kind];
  const values = { type, kind: sql.raw(`'${kind}'`), by: author ?? sql`null` };
  return selectRows(
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

const DEFAULT_KINDS: readonly ItemKind[] = ["episode", "concept", "entity"];

export const kindsField = nameListField(ITEM_KINDS)
  .optional()
  .describe(`${ITEM_KINDS.join(", ")}; default ${DEFAULT_KINDS.join(", ")}.`);

export const getKinds = (kinds: readonly ItemKind[] | undefined): readonly ItemKind[] =>
  kinds === undefined || kinds.length === 0 ? DEFAULT_KINDS : kinds;

const facetValue = z.object({ value: z.string(), count: z.number().int() });

export const items = defineOperation({
  name: "items",
  summary: "List episodes, facts, concepts and entities, filtered and counted",
  description:
    "All filters must match; of several types, authors, topics or sessions, one is enough. " +
    "Page with `cursor`: concurrent writes repeat no item.",
  kind: "read",
  input: z.strictObject({
    kinds: kindsField,
    ...filterFields,
    sort: z
      .enum(SORTS)
      .default("newest")
      .describe(
        "`newest` or `oldest`: by time of occurrence; `updated`: by last change; `best`: by match with `text`.",
      ),
    limit: limitField.default(50),
    cursor: z.string().max(1000).optional().describe("`next_cursor` of the previous page."),
    count: z.boolean().default(false).describe("Include the total number."),
    facets: nameListField(FACETS)
      .optional()
      .describe(`Count by ${FACETS.join(", ")}; each count ignores the facet's own filter.`),
    facet_limit: z.number().int().min(1).max(100).default(20).describe("Values of each facet."),
  }),
  output: z.object({
    items: z.array(itemRecord),
    next_cursor: z.string().nullable(),
    total: z.number().int().optional(),
    facets: z.record(z.string(), z.array(facetValue)).optional(),
  }),
  mcp: {
    purpose: "List the items of the memory, filtered and counted. Items must match all filters.",
    detail: "",
    fieldsOfPrograms: ["session", "topic", "not_labels", "as_of", "known_at", "facet_limit"],
    plainFields: ["by", "labels", "pending", "cursor", "limit", "sort", "count"],
    searchHint: "list filter count memory by time author type label entity",
  },
  rest: { method: "GET", path: "/items" },
  cli: { command: "list items", example: "cairn list items --since 2d --by Ada --type decision" },
  present: (answer) => ({
    text: describePage(answer),
    summary: answer.items.length === 1 ? "1 item" : `${answer.items.length} items`,
  }),
  async run(context, input) {
    const { tx } = context;
    const filter = await resolveFilter(context, input);
    const kinds = getKinds(input.kinds);
    const { sort, limit, cursor, facets, facet_limit: facetLimit } = input;
    const { text } = input;
    const page = await listItems(tx, { kinds, filter, sort, text, limit, cursor });
    await yieldToEventLoop();
    return {
      items: page.items,
      next_cursor: page.nextCursor,
      ...(input.count && { total: await countItems(tx, kinds, filter) }),
      ...(facets !== undefined && {
        facets: await countFacets(tx, facets, { kinds, filter, limit: facetLimit }),
      }),
    };
  },
});

interface Page {
  readonly items: readonly ItemRecord[];
  readonly next_cursor: string | null;
  readonly total?: number | undefined;
  readonly facets?: Record<string, readonly z.output<typeof facetValue>[]> | undefined;
}

const MAX_LINE_CHARACTERS = 100;

function describePage({ items: rows, next_cursor: next, total, facets = {} }: Page): string {
  const lines = rows.map((row) =>
    [
      row.id,
      row.type,
      row.at.slice(0, 10),
      row.asserted_by ?? "-",
      formatLine(row),
      ...listMarks(row),
    ]
      .map(quoteNameForModel)
      .join("  "),
  );
  const counts = Object.entries(facets).map(
    ([facet, values]) =>
      `${facet}: ${values.map(({ value, count }) => `${quoteNameForModel(value)} ${count}`).join(", ")}`,
  );
  return [
    ...(rows.length === 0 ? ["No matching items."] : lines),
    ...(total === undefined ? [] : [`${total} in total`]),
    ...counts,
    ...(next === null ? [] : [`More: cursor ${next}`]),
  ].join("\n");
}

function formatLine({ title, text }: ItemRecord): string {
  return shortenLine(title ?? text, MAX_LINE_CHARACTERS);
}

function listMarks({ open_conflicts: disputes }: ItemRecord): string[] {
  return disputes.length === 0 ? [] : [`disputed in ${disputes.join(", ")}`];
}

export const timeline = defineOperation({
  name: "timeline",
  summary: "Count items per day, week, month or year, by type or author",
  description: "Takes the filters of `items`. Empty buckets are omitted.",
  kind: "read",
  input: z.strictObject({
    kinds: kindsField,
    ...filterFields,
    bucket: z.enum(BUCKET_SIZES).default("day").describe("Weeks begin on Monday; days are UTC."),
    group: z.enum(GROUP_FIELDS).default("type").describe("Property that buckets are counted by."),
  }),
  output: z.object({
    bucket: z.enum(BUCKET_SIZES),
    total: z.number().int(),
    buckets: z.array(
      z.object({
        /** First day of the bucket, `2026-03-30`. */
        start: z.string(),
        count: z.number().int(),
        by: z.record(z.string(), z.number().int()),
      }),
    ),
  }),
  mcp: {
    purpose: "Count items by day, week, month or year. Filters as in `items`.",
    detail: "",
    fieldsOfPrograms: [
      ...["session", "topic", "pending", "has", "text", "labels", "not_labels"],
      ...["as_of", "known_at"],
    ],
    plainFields: ["kinds", "since", "until", "by", "type", "entity", "bucket", "group"],
  },
  rest: { method: "GET", path: "/timeline" },
  cli: { command: false, example: "cairn stats" },
  async run(context, { kinds, bucket, group, ...filters }) {
    const filter = await resolveFilter(context, filters);
    const query = { kinds: getKinds(kinds), filter, bucket, group };
    const buckets = await countBuckets(context.tx, query);
    const total = buckets.reduce((sum, { count }) => sum + count, 0);
    return { bucket, total, buckets };
  },
});
