import { loadStats } from "../../stats/load-stats.ts";
import { defineScope } from "../define-scope.ts";

export const stats = defineScope({
  name: "stats",
  summary: "Counts, and how far consolidation is",
  narrows: { nothing: "its counts are kept for the whole database" },
  read: ({ tx }) => loadStats(tx),
});
