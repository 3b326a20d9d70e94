import { listConflictPlaces, loadConflicts } from "../../conflicts/conflict.queries.ts";
import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import { defineScope } from "../define-scope.ts";

export const conflicts = defineScope({
  name: "conflicts",
  summary: "Open conflicts with both facts",
  narrows: "records",
  async read(context, _argument, _prepared, { passing }) {
    const locations = await listConflictPlaces(context.tx, {
      status: "open",
      passes: passing?.("conflict"),
    });
    const numbers = locations.map(([, number]) => number);
    return {
      count: numbers.length,
      conflicts: await loadList(context, takeShown(context, numbers), loadConflicts),
      ...countOmitted(context, numbers),
    };
  },
});
