import { listConflictPlaces, loadConflicts } from "../../conflicts/conflict.queries.ts";
import { loadList, omittedOf, shownOf } from "../../context/whole-list.ts";
import { defineScope } from "../define-scope.ts";

export const conflicts = defineScope({
  name: "conflicts",
  summary: "Open conflicts with both facts",
  narrows: "records",
  async read(context, _argument, _prepared, { passing }) {
    const places = await listConflictPlaces(context.tx, {
      status: "open",
      passes: passing?.("conflict"),
    });
    const numbers = places.map(([, number]) => number);
    return {
      count: numbers.length,
      conflicts: await loadList(context, shownOf(context, numbers), loadConflicts),
      ...omittedOf(context, numbers),
    };
  },
});
