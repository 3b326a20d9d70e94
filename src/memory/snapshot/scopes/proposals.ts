import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import {
  fadedBefore,
  listProposalPlaces,
  loadProposals,
} from "../../proposals/proposal.queries.ts";
import { defineScope } from "../define-scope.ts";

export const proposals = defineScope({
  name: "proposals",
  summary: "Proposed memories that wait for a review",
  narrows: "records",
  async read(context, _argument, _prepared, { passing }) {
    const faded = fadedBefore(context);
    const passes = passing?.("proposal");
    const locations = await listProposalPlaces(context.tx, { status: "open", faded, passes });
    const numbers = locations.map(([, number]) => number);
    return {
      count: numbers.length,
      proposals: await loadList(context, takeShown(context, numbers), (tx, slice) =>
        loadProposals(tx, slice, faded),
      ),
      ...countOmitted(context, numbers),
    };
  },
});
