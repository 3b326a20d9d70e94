import { z } from "zod";
import { noteField } from "../../input/fields.ts";
import { proposalId } from "../../input/item-ids.ts";
import { claimFields } from "../../proposals/proposal.queries.ts";
import { propose as proposeClaims } from "../../proposals/propose.ts";
import { defineOperation } from "../define-operation.ts";

export const propose = defineOperation({
  name: "propose",
  summary: "Propose a memory for review; it is stored once accepted",
  description:
    "A repeated proposal counts as another mention; a rejected one is not proposed again.",
  kind: "write",
  needs: "propose",
  input: z.strictObject({
    ...claimFields,
    reason: noteField.optional().describe("Why it needs a review."),
  }),
  output: z.object({
    id: z.string(),
    outcome: z.enum(["new", "again", "rejected_before"]),
  }),
  mcp: {
    interfaces: false,
    onlyFor: "propose",
    purpose: "Propose a memory for later sessions; it is stored once a user accepts it.",
    fieldsOfPrograms: ["metadata", "source_type", "session", "evidence", "corrects", "rejects"],
  },
  rest: { method: "POST", path: "/proposals" },
  confirm: (_input, { id, outcome }) =>
    outcome === "rejected_before"
      ? `${id} has the same content and was rejected; it is not proposed again.`
      : `Proposed ${id}. \`cairn accept ${id}\` stores it.`,
  cli: {
    positionals: ["content"],
    short: { episode_type: "t" },
    example: 'cairn propose "We deploy on Fridays" -t decision',
  },
  changeset: { op: "propose", text: "content", aliases: { t: "episode_type", e: "entities" } },
  async run(context, { reason, ...claim }) {
    const [created] = await proposeClaims(context, [{ claim, reason }]);
    if (created === undefined) throw new Error("The proposal was not stored.");
    return { id: proposalId(created.number), outcome: created.outcome };
  },
});
