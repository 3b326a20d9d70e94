import { countLabels } from "../../labels/label.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Distinct labels in use, with counts. */
export const labels = defineScope({
  name: "labels",
  summary: "Labels in use, with counts",
  async read({ tx }) {
    const found = await countLabels(tx);
    return { count: found.length, labels: found };
  },
});
