import { z } from "zod";
import { EventLoopYielder } from "../../../shared/async.ts";
import { idsOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { changeId, kindOfId } from "../../input/item-ids.ts";
import { purgeById } from "../../purge/purge-by-id.ts";
import { forgetRecalled } from "../../recall-log/forget-recalls.ts";
import { defineOperation } from "../define-operation.ts";

export const purge = defineOperation({
  name: "purge",
  summary: "Forget the text of episodes, facts or concepts for good; this cannot be undone",
  description:
    "Rows, indexes, vectors, titles taken from it, the rows as they were before, kept answers, and " +
    "the free pages of the file. kept_elsewhere says where it may still be: deleted databases, copies, backups, and what a PostgreSQL server keeps. A tombstone keeps ids and relations honest.",
  kind: "write",
  input: z.strictObject({
    ids: idsOf("item").describe("Ids of episodes, facts and concepts."),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({
    id: z.string(),
    purged: z.array(z.string()),
    kept_elsewhere: z
      .array(z.string())
      .optional()
      .describe(
        "Deleted databases, copies, backups and exports that may have it, and what PostgreSQL keeps besides; a sentence each.",
      ),
  }),
  erases: true,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/purge" },
  cli: { command: false },
  async writes(_tx, { ids }) {
    return ids;
  },
  async run(context, { ids }) {
    const purged = new Set<string>();
    const turn = new EventLoopYielder();
    for (const id of ids) {
      if (purged.has(id)) continue;
      const purge = purgeById(kindOfId(id));
      for (const one of await purge(context, id)) purged.add(one);
      await turn.yieldIfDue();
    }
    await forgetRecalled(context.tx, [...purged]);
    const kept = await context.keptElsewhere();
    return {
      id: changeId(await context.change),
      purged: [...purged],
      ...(kept.length > 0 && { kept_elsewhere: kept }),
    };
  },
});
