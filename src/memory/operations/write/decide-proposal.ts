import { z } from "zod";
import { OWNER } from "../../../kernel/caller.ts";
import { idOf, nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import * as accepting from "../../learned/accept-proposal.ts";
import * as deciding from "../../proposals/decide-proposal.ts";
import { requireOwner } from "../../proposals/owners.ts";
import { requireOpenProposal, toProposalRecord } from "../../proposals/proposal.queries.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";

const input = z.strictObject({
  proposal_id: idOf("proposal").describe("proposal:1"),
  note: noteField.optional().describe("Why."),
  decided_by: nameField.optional().describe("Who decided."),
  if_match: ifMatchField.optional(),
});

/** The open proposal, where whoever asks is one of those who decide about it. */
async function requireDecidable({ tx, limits, options }: OperationContext, id: string) {
  const row = await requireOpenProposal(tx, id, "proposal_id");
  const { caller = OWNER } = options;
  requireOwner(toProposalRecord(row, ""), limits.proposalOwners ?? [], {
    caller,
    field: "proposal_id",
  });
  return row;
}

/** What both decisions are asked with; what they do is all that differs. */
const decision = {
  target: "proposal_id",
  kind: "write",
  input,
  mcp: { interfaces: false },
} as const;
const saidInChangesets = { text: "note", nameless: true, aliases: { id: "proposal_id" } } as const;

export const acceptProposal = defineOperation({
  ...decision,
  name: "accept_proposal",
  summary: "Keep what was proposed",
  output: z.object({
    id: z.string(),
    status: z.literal("accepted"),
    episode_id: z.string().describe("What it became."),
    replaced: z.array(z.string()).describe("Episodes that it replaced."),
  }),
  rest: { method: "POST", path: "/proposals/{proposal_id}/accept" },
  confirm: ({ proposal_id: id }, { episode_id: episode }) => `Kept ${id} as ${episode}.`,
  cli: {
    command: "accept",
    positionals: ["proposal_id"],
    example: "cairn accept proposal:1",
  },
  changeset: { op: "accept", ...saidInChangesets },
  async run(context, { proposal_id: id, note, decided_by: by }) {
    const row = await requireDecidable(context, id);
    const kept = await accepting.acceptProposal(context, row, { by, note });
    return {
      id,
      status: "accepted" as const,
      episode_id: kept.id,
      replaced: kept.replaced.map((one) => one.id),
    };
  },
});

export const rejectProposal = defineOperation({
  ...decision,
  name: "reject_proposal",
  summary: "Do not keep what was proposed, and do not ask again",
  output: z.object({ id: z.string(), status: z.literal("rejected") }),
  rest: { method: "POST", path: "/proposals/{proposal_id}/reject" },
  confirm: ({ proposal_id: id }) => `Rejected ${id}; it is not asked about again.`,
  cli: {
    command: "reject",
    positionals: ["proposal_id"],
    example: 'cairn reject proposal:1 --note "Only for the demo"',
  },
  changeset: { op: "reject", ...saidInChangesets },
  async run(context, { proposal_id: id, note, decided_by: by }) {
    const row = await requireDecidable(context, id);
    await deciding.rejectProposal(context, row, { by, note });
    return { id, status: "rejected" as const };
  },
});
