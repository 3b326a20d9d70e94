import { listConflicts } from "../../conflicts/conflict.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Open conflicts with both facts and their provenance. */
export const conflicts = defineScope({
  name: "conflicts",
  summary: "Open conflicts with both facts",
  async read({ tx }) {
    const found = await listConflicts(tx, { status: "open" });
    return { count: found.length, conflicts: found };
  },
});
