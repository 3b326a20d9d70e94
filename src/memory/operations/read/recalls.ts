import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { contains, type Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { allows } from "../../../shared/caller.ts";
import { groupBy } from "../../../shared/collections.ts";
import { sharedSchema } from "../../../shared/json-schema.ts";
import { parseMoment } from "../../../shared/time.ts";
import type { ExecuteOptions } from "../../context/execute-options.ts";
import { isBelow, type Page } from "../../context/page-cursor.ts";
import { createMomentField } from "../../filters/moment-field.ts";
import { nameField, noteField, referenceField } from "../../input/fields.ts";
import { decodePosition, encodePosition } from "../../listing/cursor.ts";
import { loadItemTexts } from "../../listing/item-text.ts";
import {
  RECALL_WAYS,
  type RecallWay,
  recalledItems,
  recalls,
} from "../../recall-log/recall-log.table.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

const loggedItem = z.object({
  id: z.string(),
  rank: z.number().int(),
  score: z.number().nullable(),
  /** Found but omitted by the size limit. */
  cut: z.boolean(),
  /** Type of the episode or concept, or `passage`; null if the item no longer exists here. */
  type: z.string().nullable(),
  text: z.string().nullable(),
});

const recallNote = sharedSchema(
  "RecallNote",
  z.object({
    id: z.string(),
    at: z.string(),
    /** `start`, `prompt` and `moment`: context from a hook or the agent; else the surface used. */
    way: z.enum(RECALL_WAYS),
    client: z.string().nullable(),
    session: z.string().nullable(),
    by: z.string().nullable(),
    /** Null if there was no query text or it was purged. */
    question: z.string().nullable(),
    asked: z.record(z.string(), z.unknown()).nullable(),
    given: z.number().int(),
    cut: z.number().int(),
    items: z.array(loggedItem),
  }),
);

type RecallNote = z.output<typeof recallNote>;

function restrictToOwnRecalls(
  { caller }: ExecuteOptions,
  database: string,
): { readonly askedBy?: string } {
  if (caller === undefined || allows(caller, "admin", database)) return {};
  return { askedBy: caller.name ?? "" };
}

const CURSOR_ORDER = "recalls";

export const recallsOperation = defineOperation({
  name: "recalls",
  summary: "List past recalls with query, returned items and omitted items",
  description:
    "Stored for a while if the setting recallLog is on (default). Callers without the scope admin only see " +
    "recalls of their own token.",
  kind: "read",
  input: z.strictObject({
    session: referenceField.optional().describe("Only recalls of this session."),
    client: nameField.optional().describe("Only of this program, such as claude-code or page."),
    way: z.enum(RECALL_WAYS).optional().describe("Only recalls of this origin."),
    item: referenceField.optional().describe("Only recalls that found this item."),
    text: noteField.optional().describe("Only recalls whose query contains this."),
    since: createMomentField("start").describe(
      "On or after this time: 2026-03-31, 2d, yesterday, monday.",
    ),
    until: createMomentField("end").describe("On or before this time, in the same formats."),
    empty: z
      .boolean()
      .optional()
      .describe("true: only recalls without results; false: only with results."),
    limit: limitField.default(50),
    cursor: z.string().max(1000).optional().describe("`next_cursor` of the previous page."),
  }),
  output: z.object({
    recalls: z.array(recallNote),
    total: z.number().int(),
    next_cursor: z.string().optional(),
  }),
  ofRecallLog: true,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/recalls" },
  cli: {
    command: "list recalls",
    group: "Inspection",
    example: "cairn list recalls --client codex --since 2d",
  },
  async run({ tx, now, options, location }, { since, until, limit, cursor, ...filters }) {
    const at = new Date(now);
    const where = recallsWhere({
      ...filters,
      ...restrictToOwnRecalls(options, location.database),
      since: since === undefined ? undefined : parseMoment(since, "start", at),
      until: until === undefined ? undefined : parseMoment(until, "end", at),
    });
    const after = cursor === undefined ? undefined : decodePosition(cursor, CURSOR_ORDER);
    const found = await listRecalls(tx, where, { limit: limit + 1, offset: 0, after });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      recalls: await toRecallNotes(tx, page),
      total: await countRecalls(tx, where),
      ...(last !== undefined && { next_cursor: encodePosition(CURSOR_ORDER, [last.at, last.id]) }),
    };
  },
});

interface RecallFilter {
  readonly session?: string | undefined;
  readonly client?: string | undefined;
  readonly way?: RecallWay | undefined;
  readonly item?: string | undefined;
  readonly text?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly askedBy?: string | undefined;
}

function recallsWhere(filter: RecallFilter): SQL | undefined {
  const { session, client, way, item, text, since, until, empty, askedBy } = filter;
  return and(
    session === undefined ? undefined : eq(recalls.session, session),
    client === undefined ? undefined : eq(recalls.client, client),
    way === undefined ? undefined : eq(recalls.way, way),
    askedBy === undefined ? undefined : eq(recalls.askedBy, askedBy),
    since === undefined ? undefined : sql`${recalls.at} >= ${since}`,
    until === undefined ? undefined : sql`${recalls.at} <= ${until}`,
    empty === undefined
      ? undefined
      : sql`(${recalls.given} = 0) = ${sql.raw(empty ? "(1 = 1)" : "(1 = 0)")}`,
    text === undefined
      ? undefined
      : contains(sql`lower(coalesce(${recalls.question}, ''))`, sql`${text.toLowerCase()}`),
    item === undefined
      ? undefined
      : sql`exists (select 1 from ${recalledItems} where ${recalledItems.recallId} = ${recalls.id} and ${recalledItems.item} = ${item})`,
  );
}

function listRecalls(tx: Tx, where: SQL | undefined, page: Page | undefined) {
  const { limit = Number.MAX_SAFE_INTEGER, offset = 0, after } = page ?? {};
  return tx
    .select()
    .from(recalls)
    .where(and(where, isBelow([recalls.at, recalls.id], after)))
    .orderBy(desc(recalls.at), desc(recalls.id))
    .limit(limit)
    .offset(offset);
}

async function countRecalls(tx: Tx, where: SQL | undefined): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(recalls).where(where);
  return row?.total ?? 0;
}

async function toRecallNotes(
  tx: Tx,
  rows: readonly (typeof recalls.$inferSelect)[],
): Promise<RecallNote[]> {
  const items = await loadInBatches(
    rows.map(({ id }) => id),
    (slice) =>
      tx
        .select()
        .from(recalledItems)
        .where(inArray(recalledItems.recallId, slice))
        .orderBy(asc(recalledItems.recallId), asc(recalledItems.rank)),
  );
  const texts = await loadItemTexts(tx, new Set(items.map(({ item }) => item)));
  const byRecall = groupBy(items, ({ recallId }) => recallId);
  return rows.map((row) => ({
    ...{ id: row.id, at: row.at, way: row.way, client: row.client, session: row.session },
    ...{ by: row.askedBy, question: row.question, asked: row.asked },
    ...{ given: row.given, cut: row.cut },
    items: (byRecall.get(row.id) ?? []).map(({ item, rank, score, isCut }) => ({
      ...{ id: item, rank, score, cut: isCut },
      type: texts.get(item)?.type ?? null,
      text: texts.get(item)?.text ?? null,
    })),
  }));
}
