import { listConflictPlaces, loadConflicts } from "../../conflicts/conflict.queries.ts";
import { omittedOf, shownOf, wholeList } from "../../context/whole-list.ts";
import { defineScope } from "../define-scope.ts";

/** Open conflicts with both facts and their provenance. */
export const conflicts = defineScope({
  name: "conflicts",
  summary: "Open conflicts with both facts",
  async read(context) {
    const places = await listConflictPlaces(context.tx, { status: "open" });
    const numbers = places.map(([, number]) => number);
    return {
      count: numbers.length,
      conflicts: await wholeList(context, shownOf(context, numbers), loadConflicts),
      ...omittedOf(context, numbers),
    };
  },
});
