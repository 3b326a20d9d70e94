import { omittedOf, shownOf, wholeList } from "../../context/whole-list.ts";
import { countLabels } from "../../labels/label.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Distinct labels in use, with counts. */
export const labels = defineScope({
  name: "labels",
  summary: "Labels in use, with counts",
  async read(context) {
    const found = await countLabels(context.tx);
    return {
      count: found.length,
      labels: await wholeList(context, shownOf(context, found), async (_tx, slice) => [...slice]),
      ...omittedOf(context, found),
    };
  },
});
