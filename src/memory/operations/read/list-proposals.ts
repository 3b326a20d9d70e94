import { z } from "zod";
import { wholeList } from "../../context/whole-list.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFieldsFor } from "../../filters/filter-fields.ts";
import {
  countProposals,
  fadedBefore,
  listProposalPlaces,
  loadProposals,
} from "../../proposals/proposal.queries.ts";
import { proposalRecord, SHOWN_STATUSES } from "../../proposals/proposal.schema.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, placedOutput, placesOf, wholeInput } from "../paging.ts";

export const listProposals = defineOperation({
  name: "list_proposals",
  summary: "List what may be worth keeping and waits for a person, said last first",
  kind: "read",
  input: z.strictObject({
    status: z.enum([...SHOWN_STATUSES, "all"]).default("open"),
    ...filterFieldsFor("proposal"),
    ...wholeInput,
  }),
  output: z.object({ proposals: z.array(proposalRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/proposals" },
  cli: {
    command: "proposals",
    shelf: "everyday",
    noun: "proposals",
    aliases: ["inbox"],
    beside: { operation: "list_conflicts", input: {} },
    example: "cairn proposals --status all",
  },
  async run(context, input) {
    const { tx, options } = context;
    const faded = fadedBefore(context);
    const { status, ...given } = input;
    const filter = { status, faded, passes: await passing("proposal", context, given) };
    const { places, next } = await placesOf(input, options, {
      order: "proposals",
      load: (part) => listProposalPlaces(tx, filter, part),
    });
    return {
      proposals: await wholeList(
        context,
        places.map(([, number]) => number),
        (within, numbers) => loadProposals(within, numbers, faded),
      ),
      ...listNumbers(input, await countProposals(tx, filter), options),
      ...next,
    };
  },
});
