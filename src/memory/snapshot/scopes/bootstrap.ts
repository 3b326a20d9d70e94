import { sideBySide } from "../../../database/index.ts";
import { strongestConcepts } from "../../concepts/strongest-concepts.ts";
import { countConflicts } from "../../conflicts/conflict.queries.ts";
import { loadStats } from "../../stats/load-stats.ts";
import { countArgument } from "../count-argument.ts";
import { defineScope } from "../define-scope.ts";

const DEFAULT_COUNT = "10";

/** Stable context for the start of a session: no query, no embedding, nothing that depends on time. */
export const bootstrap = defineScope({
  name: "bootstrap",
  summary:
    "Stable context for the start of a session: the strongest concepts, open conflicts in number, statistics",
  argument: countArgument("bootstrap", { name: "n", optional: true }, 0),
  async read({ tx }, argument) {
    const [concepts, open, stats] = await sideBySide(tx, [
      () => strongestConcepts(tx, Number(argument || DEFAULT_COUNT)),
      () => countConflicts(tx, { status: "open" }),
      () => loadStats(tx),
    ]);
    return { count: concepts.length, concepts, open_conflicts: open, stats };
  },
});
