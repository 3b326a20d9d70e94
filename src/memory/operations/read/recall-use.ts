import { z } from "zod";
import { listField } from "../../input/fields.ts";
import { countUse, listUse, logBounds, USE_LISTS } from "../../recall-log/list-use.ts";
import { itemUse } from "../../recall-log/recall-log.schema.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

export const recallUse = defineOperation({
  name: "recall_use",
  summary:
    "Say in how many answers items were, which are never found, always cut off, or contradicted",
  description:
    "Counted in what the log of recalls keeps; `since` says from when on. never: found by nobody, the " +
    "oldest first. cut: found, and never with room. contradicted: of facts in conflicts, most often first.",
  kind: "read",
  input: z.strictObject({
    list: z.enum(USE_LISTS).default("most").describe("most, never, cut or contradicted."),
    ids: listField.optional().describe("Of these items, in place of a list."),
    limit: limitField.default(50),
  }),
  output: z.object({
    items: z.array(itemUse),
    /** How many recalls are kept. */
    recalls: z.number().int(),
    /** Time of the oldest of them; null where there is none. */
    since: z.string().nullable(),
  }),
  ofRecallLog: true,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/recalls/items" },
  cli: {
    group: "Inspection",
    positionals: ["list"],
    example: "cairn recall-use never\ncairn recall-use --ids ep:3,ep:4",
  },
  async run({ tx }, { list, ids, limit }) {
    const items =
      ids === undefined || ids.length === 0
        ? await listUse(tx, list, limit)
        : await countUse(tx, ids);
    return { items, ...(await logBounds(tx)) };
  },
});
