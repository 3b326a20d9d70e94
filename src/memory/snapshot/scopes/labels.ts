import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import type { WriteContext } from "../../context/write-context.ts";
import type { RecordFilter } from "../../filters/resolve-filter.ts";
import { parseLabel } from "../../input/parse-labels.ts";
import { countLabels } from "../../labels/label.queries.ts";
import { countFacets } from "../../listing/count-facets.ts";
import { defineScope } from "../define-scope.ts";

export const labels = defineScope({
  name: "labels",
  summary: "Labels in use, with counts",
  narrows: "records",
  async read(context, _argument, _prepared, { parts }) {
    const found =
      parts.length === 0 ? await countLabels(context.tx) : await countThose(context, parts);
    return {
      count: found.length,
      labels: await loadList(context, takeShown(context, found), async (_tx, slice) => [...slice]),
      ...countOmitted(context, found),
    };
  },
});

async function countThose({ tx }: WriteContext, filter: RecordFilter) {
  const query = { kinds: ["episode", "concept"], filter, limit: Number.POSITIVE_INFINITY } as const;
  const { label = [] } = await countFacets(tx, ["label"], query);
  return label.map(({ value, count }) => ({ ...parseLabel(value), count }));
}
