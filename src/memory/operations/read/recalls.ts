import { z } from "zod";
import { parseMoment } from "../../../shared/time.ts";
import { momentField } from "../../filters/moment-field.ts";
import { nameField, noteField, referenceField } from "../../input/fields.ts";
import { readPlace, writePlace } from "../../listing/cursor.ts";
import { ownRecallsOnly } from "../../recall-log/caller-recalls.ts";
import {
  countRecalls,
  listRecalls,
  recallsWhere,
  toRecallNotes,
} from "../../recall-log/list-recalls.ts";
import { recallNote } from "../../recall-log/recall-log.schema.ts";
import { RECALL_WAYS } from "../../recall-log/recall-log.table.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

const ORDER = "recalls";

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
    since: momentField("start").describe("Not before: 2026-03-31, 2d, yesterday, monday."),
    until: momentField("end").describe("On or before this time, in the same formats."),
    empty: z
      .boolean()
      .optional()
      .describe("true: only recalls without results; false: only with results."),
    limit: limitField.default(50),
    cursor: z.string().max(1000).optional().describe("`next_cursor` of the page before."),
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
  async run({ tx, now, options, place }, { since, until, limit, cursor, ...given }) {
    const at = new Date(now);
    const where = recallsWhere({
      ...given,
      ...ownRecallsOnly(options, place.database),
      since: since === undefined ? undefined : parseMoment(since, "start", at),
      until: until === undefined ? undefined : parseMoment(until, "end", at),
    });
    const after = cursor === undefined ? undefined : readPlace(cursor, ORDER);
    const found = await listRecalls(tx, where, { limit: limit + 1, offset: 0, after });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      recalls: await toRecallNotes(tx, shown),
      total: await countRecalls(tx, where),
      ...(last !== undefined && { next_cursor: writePlace(ORDER, [last.at, last.id]) }),
    };
  },
});
