import { readConcurrently } from "../../../database/index.ts";
import { strongestConcepts } from "../../concepts/concept.queries.ts";
import { countConflicts } from "../../conflicts/conflict.queries.ts";
import { loadStats } from "../../stats/load-stats.ts";
import { countArgument, defineScope } from "../define-scope.ts";

const DEFAULT_COUNT = "10";

/** Stable context for the start of a session, without time dependency. `stats` ignores filters. */
export const bootstrap = defineScope({
  name: "bootstrap",
  summary:
    "Stable context for the start of a session: the strongest concepts, open conflicts in number, statistics",
  argument: countArgument("bootstrap", { name: "n", optional: true }, 0),
  narrows: "records",
  async read({ tx }, argument, _prepared, { passing }) {
    const [concepts, open, stats] = await readConcurrently(tx, [
      () => strongestConcepts(tx, Number(argument || DEFAULT_COUNT), passing?.("concept")),
      () => countConflicts(tx, { status: "open", passes: passing?.("conflict") }),
      () => loadStats(tx),
    ]);
    return { count: concepts.length, concepts, open_conflicts: open, stats };
  },
});
