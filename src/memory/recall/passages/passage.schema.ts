import { z } from "zod";
import { sharedSchema } from "../../../kernel/shared-schema.ts";
import { PASSAGE_ROLES } from "../../sources/source.table.ts";

/** A passage that says how something was settled. */
export const recalledPassage = sharedSchema(
  "RecalledPassage",
  z.object({
    id: z.string(),
    source_id: z.string(),
    /** Database that it stands in, where several layers were read; the ids of farther ones begin with it. */
    layer: z.string().optional(),
    /** The kind of its source: `claude-code`, `git`. */
    kind: z.string(),
    role: z.enum(PASSAGE_ROLES),
    /** `user`, `assistant`, or the name of an author. */
    by: z.string(),
    occurred_at: z.string(),
    files: z.array(z.string()),
    text: z.string(),
    /** Activation of the conversation or commit that it stands in, 0..1. */
    score: z.number(),
    /** `replaced`: something later was settled about the same, or it was taken back. */
    standing: z.enum(["replaced"]).optional(),
    /** What settled it, or took it back: a passage, or the episode that holds instead. */
    replaced_by: z.string().optional(),
    /** The passage that it takes back. */
    reverts: z.string().optional(),
    /** What was said before it in the same sitting, and after it. */
    before: z.string().optional(),
    after: z.string().optional(),
  }),
);

export type RecalledPassage = z.output<typeof recalledPassage>;
