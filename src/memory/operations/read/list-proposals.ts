import { z } from "zod";
import { filterFieldsFor, passing } from "../../filters/filter-condition.ts";
import {
  countProposals,
  fadedBefore,
  listProposalPlaces,
  loadProposals,
} from "../../proposals/proposal.queries.ts";
import { proposalRecord, SHOWN_STATUSES } from "../../proposals/proposal.schema.ts";
import { byNumber, defineList, recordList } from "../define-list.ts";
import { placedOutput, wholeInput } from "../paging.ts";

export const listProposals = defineList({
  name: "list_proposals",
  summary: "List proposals that await review, last mentioned first",
  input: z.strictObject({
    status: z.enum([...SHOWN_STATUSES, "all"]).default("open"),
    ...filterFieldsFor("proposal"),
    ...wholeInput,
  }),
  output: z.object({ proposals: z.array(proposalRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/proposals" },
  cli: {
    command: "list proposals",
    beside: { operation: "list_conflicts", input: {} },
    example: "cairn list proposals --status all",
  },
  async list(context, { status, ...given }) {
    const { tx } = context;
    const faded = fadedBefore(context);
    const filter = { status, faded, passes: await passing("proposal", context, given) };
    return recordList({
      order: "proposals",
      page: given,
      places: (part) => listProposalPlaces(tx, filter, part),
      count: () => countProposals(tx, filter),
      load: byNumber((within, numbers) => loadProposals(within, numbers, faded)),
    });
  },
  answer: (proposals, numbers) => ({ proposals, ...numbers }),
});
