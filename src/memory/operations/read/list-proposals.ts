import { z } from "zod";
import { createPredicate, selectFilterFields } from "../../filters/filter-condition.ts";
import {
  countProposals,
  expiryTime,
  listProposalPositions,
  loadProposals,
} from "../../proposals/proposal.queries.ts";
import { proposalRecord, SHOWN_STATUSES } from "../../proposals/proposal.schema.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { placedOutput, wholeListInput } from "../paging.ts";

export const listProposals = defineList({
  name: "list_proposals",
  summary: "List proposals that await review, last mentioned first",
  input: z.strictObject({
    status: z.enum([...SHOWN_STATUSES, "all"]).default("open"),
    ...selectFilterFields("proposal"),
    ...wholeListInput,
  }),
  output: z.object({ proposals: z.array(proposalRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/proposals" },
  cli: {
    command: "list proposals",
    companion: { operation: "list_conflicts", input: {} },
    example: "cairn list proposals --status all",
  },
  async list(context, { status, ...filters }) {
    const { tx } = context;
    const faded = expiryTime(context);
    const filter = { status, faded, passes: await createPredicate("proposal", context, filters) };
    return createRecordList({
      order: "proposals",
      page: filters,
      positions: (part) => listProposalPositions(tx, filter, part),
      count: () => countProposals(tx, filter),
      load: listByNumber((within, numbers) => loadProposals(within, numbers, faded)),
    });
  },
  answer: (proposals, numbers) => ({ proposals, ...numbers }),
});
