import { countLabels } from "../../labels/label.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** Distinct labels in use, with counts. */
export const labels: ScopeReader = async ({ tx }) => {
  const found = await countLabels(tx);
  return { count: found.length, labels: found };
};
