import { z } from "zod";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { loadPendingBatches } from "../../listing/pending-batches.ts";
import { defineOperation } from "../define-operation.ts";

export const pendingBatchesOperation = defineOperation({
  name: "pending_batches",
  summary: "List pending episodes in related batches, oldest first",
  description: "Batches by session, entity or day, each small enough for one consolidation.",
  kind: "read",
  input: z.strictObject({
    limit: z.number().int().min(1).max(50).default(10).describe("Batches."),
    size: z.number().int().min(1).max(50).default(12).describe("Maximum episodes per batch."),
  }),
  output: z.object({
    total: z.number().int(),
    batches: z.array(
      z.object({
        reason: z.enum(["session", "entity", "time"]),
        name: z.string(),
        episodes: z.array(episodeRecord),
      }),
    ),
  }),
  mcp: {
    purpose: "Read pending episodes in batches by session, entity or day, to consolidate.",
    detail: "",
  },
  rest: { method: "GET", path: "/pending/batches" },
  cli: { command: "list pending", example: "cairn list pending --limit 3" },
  async run({ tx }, query) {
    const { total, batches } = await loadPendingBatches(tx, query);
    const loaded = [];
    for (const { reason, name, episodes } of batches) {
      loaded.push({ reason, name, episodes: await loadEpisodes(tx, episodes) });
    }
    return { total, batches: loaded };
  },
});
