import { z } from "zod";
import { loadStats, statsRecord } from "../../stats/load-stats.ts";
import { defineOperation } from "../define-operation.ts";

export const stats = defineOperation({
  name: "stats",
  summary: "Show counts of episodes, concepts, facts and conflicts, and consolidation progress",
  kind: "read",
  input: z.strictObject({}),
  output: statsRecord,
  rest: { method: "GET", path: "/stats" },
  cli: {
    shelf: "everyday",
    example: "cairn stats",
    companion: { operation: "timeline", input: { kinds: ["episode"] } },
  },
  run: ({ tx }) => loadStats(tx),
});
