import { listConflicts } from "../../conflicts/conflict.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** Open conflicts with both facts and their provenance. */
export const conflicts: ScopeReader = async ({ tx }) => {
  const found = await listConflicts(tx, { status: "open" });
  return { count: found.length, conflicts: found };
};
