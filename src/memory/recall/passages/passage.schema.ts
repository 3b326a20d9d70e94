import { z } from "zod";
import { sharedSchema } from "../../../shared/json-schema.ts";
import { PASSAGE_ROLES } from "../../sources/source.table.ts";

export const recalledPassage = sharedSchema(
  "RecalledPassage",
  z.object({
    id: z.string(),
    source_id: z.string(),
    layer: z.string().optional(),
    /** Kind of source: `claude-code`, `git`. */
    kind: z.string(),
    role: z.enum(PASSAGE_ROLES),
    /** `user`, `assistant` or an author's name. */
    by: z.string(),
    occurred_at: z.string(),
    files: z.array(z.string()),
    text: z.string(),
    /** Activation of the conversation or commit that contains the passage, 0..1. */
    score: z.number(),
    /** `replaced`: a later passage decided the same subject, or this one was reverted. */
    standing: z.enum(["replaced"]).optional(),
    replaced_by: z.string().optional(),
    /** Id of the passage that this one reverts. */
    reverts: z.string().optional(),
    /** Adjacent passages of the same conversation. */
    before: z.string().optional(),
    after: z.string().optional(),
  }),
);

export type RecalledPassage = z.output<typeof recalledPassage>;
