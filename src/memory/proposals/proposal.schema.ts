import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { PROPOSAL_STATUSES } from "./proposal.table.ts";

export const SHOWN_STATUSES = [...PROPOSAL_STATUSES, "faded"] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

export const proposalRecord = sharedSchema(
  "Proposal",
  z.object({
    id: z.string(),
    status: z.enum(SHOWN_STATUSES),
    content: z.string(),
    episode_type: z.string(),
    entities: z.array(z.string()),
    topic_id: z.string().nullable(),
    labels: z.array(z.string()),
    asserted_by: z.string().nullable(),
    session: z.string().nullable(),
    occurred_at: z.string().nullable(),
    quotation: z.string().nullable(),
    evidence: z.array(z.string()),
    corrects: z.boolean(),
    rejects: z.array(z.string()),
    reason: z.string().nullable(),
    times: z.number().int(),
    created_at: z.string(),
    seen_at: z.string(),
    decided_at: z.string().nullable(),
    decided_by: z.string().nullable(),
    note: z.string().nullable(),
    episode_id: z.string().nullable(),
  }),
);

export type ProposalRecord = z.output<typeof proposalRecord>;
