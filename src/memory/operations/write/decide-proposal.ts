import { z } from "zod";
import { idOf, nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { acceptProposal as acceptRow } from "../../learned/accept-proposal.ts";
import {
  rejectProposal as rejectRow,
  requireOpenProposal,
} from "../../proposals/proposal.queries.ts";
import { createFormFunctions } from "../define-form.ts";

const input = z.strictObject({
  proposal_id: idOf("proposal").describe("proposal:1"),
  note: noteField.optional().describe("Why."),
  decided_by: nameField.optional().describe("Who decided."),
  if_match: ifMatchField.optional(),
});

interface Decision {
  readonly as: "accepted" | "rejected";
  readonly id: string;
  readonly note: string | undefined;
  readonly by: string | undefined;
}

const accepted = z.object({
  id: z.string(),
  status: z.literal("accepted"),
  episode_id: z.string().describe("The item that it became."),
  replaced: z.array(z.string()).describe("Episodes that it replaced."),
});
const rejected = z.object({ id: z.string(), status: z.literal("rejected") });

const deciding = createFormFunctions<
  Decision,
  z.output<typeof accepted> | z.output<typeof rejected>
>({
  name: "decide_proposal",
  kind: "write",
  async run(context, { as, id, note, by }) {
    const row = await requireOpenProposal(context.tx, id, "proposal_id");
    if (as === "rejected") {
      await rejectRow(context, row, { by, note });
      return { id, status: as };
    }
    const stored = await acceptRow(context, row, { by, note });
    return {
      id,
      status: as,
      episode_id: stored.id,
      replaced: stored.replaced.map((one) => one.id),
    };
  },
});

const statedInChangesets = {
  text: "note",
  nameless: true,
  aliases: { id: "proposal_id" },
} as const;

export const acceptProposal = deciding({
  name: "accept_proposal",
  summary: "Accept a proposal: store it as memory",
  target: "proposal_id",
  input,
  output: accepted,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/proposals/{proposal_id}/accept" },
  confirm: ({ proposal_id: id }, { episode_id: episode }) => `Kept ${id} as ${episode}.`,
  cli: {
    command: "accept",
    positionals: ["proposal_id"],
    example: "cairn accept proposal:1",
  },
  changeset: { op: "accept", ...statedInChangesets },
  bind: ({ proposal_id: id, note, decided_by: by }) => ({ as: "accepted", id, note, by }),
  answer: (decided) => accepted.parse(decided),
});

export const rejectProposal = deciding({
  name: "reject_proposal",
  summary: "Reject a proposal; it is not proposed again",
  target: "proposal_id",
  input,
  output: rejected,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/proposals/{proposal_id}/reject" },
  confirm: ({ proposal_id: id }) => `Rejected ${id}; it is not proposed again.`,
  cli: {
    command: "reject",
    positionals: ["proposal_id"],
    example: 'cairn reject proposal:1 --note "Only for the demo"',
  },
  changeset: { op: "reject", ...statedInChangesets },
  bind: ({ proposal_id: id, note, decided_by: by }) => ({ as: "rejected", id, note, by }),
  answer: (decided) => rejected.parse(decided),
});
