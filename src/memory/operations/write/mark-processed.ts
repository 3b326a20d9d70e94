import { inArray } from "drizzle-orm";
import { z } from "zod";
import { loadInBatches } from "../../../shared/async.ts";
import { requireEpisodes } from "../../episodes/episode.queries.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { getIds } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";

export const markProcessed = defineOperation({
  name: "processed",
  summary: "Mark episodes as reviewed",
  kind: "write",
  input: z.strictObject({
    ids: getIds("episode").describe("Ids of episodes."),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ ids }) => `Reviewed ${ids.join(", ")}.`,
  cli: { positionals: ["ids..."], example: "cairn processed ep:1 ep:2" },
  changeset: { op: "processed", bare: "ids", nameless: true },
  async writes(_tx, { ids }) {
    return ids;
  },
  async run(context, { ids }) {
    const rows = await requireEpisodes(context.tx, ids, "ids");
    const numbers = rows.map((row) => row.id);
    await loadInBatches(numbers, (slice) =>
      context.tx
        .update(episodes)
        .set({ processed: true, updatedAt: context.now })
        .where(inArray(episodes.id, slice))
        .returning({ id: episodes.id }),
    );
    await context.emit({
      kind: "processed",
      subjectType: "episode",
      subjectId: ids[0] ?? "",
      payload: { ids },
    });
    return { ids };
  },
});
