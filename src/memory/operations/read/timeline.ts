import { z } from "zod";
import { filterFields } from "../../filters/filter-fields.ts";
import { resolveFilter } from "../../filters/resolve-filter.ts";
import { BUCKETS, countBuckets, GROUPS } from "../../listing/count-buckets.ts";
import { defineOperation } from "../define-operation.ts";
import { kindsField, kindsOf } from "./items.ts";

export const timeline = defineOperation({
  name: "timeline",
  summary: "How many items happened in each day, week, month or year, by type or author",
  description: "Takes the filters of `items`. Buckets without items are left out.",
  kind: "read",
  input: z.strictObject({
    kinds: kindsField,
    ...filterFields,
    bucket: z.enum(BUCKETS).default("day").describe("Weeks begin on Monday; days are UTC."),
    group: z.enum(GROUPS).default("type").describe("What each bucket is counted by."),
  }),
  output: z.object({
    bucket: z.enum(BUCKETS),
    total: z.number().int(),
    buckets: z.array(
      z.object({
        /** First day of the bucket, `2026-03-30`. */
        start: z.string(),
        count: z.number().int(),
        /** Count by value; `""` where an item has none. */
        by: z.record(z.string(), z.number().int()),
      }),
    ),
  }),
  mcp: {
    purpose: "Count what memory holds by day, week, month or year. Filters as in `items`.",
    detail: "",
    fieldsOfPrograms: [
      ...["session", "topic", "pending", "has", "text", "labels", "not_labels"],
      ...["as_of", "known_at"],
    ],
    plainFields: ["kinds", "since", "until", "by", "type", "entity", "bucket", "group"],
  },
  rest: { method: "GET", path: "/timeline" },
  cli: { command: false, example: "cairn stats" },
  async run(context, { kinds, bucket, group, ...given }) {
    const filter = await resolveFilter(context, given);
    const query = { kinds: kindsOf(kinds), filter, bucket, group };
    const buckets = await countBuckets(context.tx, query);
    const total = buckets.reduce((sum, { count }) => sum + count, 0);
    return { bucket, total, buckets };
  },
});
