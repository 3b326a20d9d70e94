import { strongestConcepts } from "../../concepts/strongest-concepts.ts";
import { countConflicts } from "../../conflicts/conflict.queries.ts";
import { loadStats } from "../../stats/load-stats.ts";
import type { ScopeReader } from "../scope.ts";

const DEFAULT_COUNT = "10";

/** Stable context for the start of a session: no query, no embedding, nothing that depends on time. */
export const bootstrap: ScopeReader = async ({ tx }, argument = DEFAULT_COUNT) => {
  const concepts = await strongestConcepts(tx, Number(argument));
  return {
    count: concepts.length,
    concepts,
    open_conflicts: await countConflicts(tx, { status: "open" }),
    stats: await loadStats(tx),
  };
};
