import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const DIGEST_PARTS = ["learned", "changed", "contradicted", "forgotten"] as const;

export type DigestPart = (typeof DIGEST_PARTS)[number];

const part = z.object({
  /** Items, each once. */
  count: z.number().int(),
  /** The newest of them. */
  items: z.array(
    z.object({
      id: z.string(),
      type: z.string().nullable(),
      /** What it says now; null where nothing is left of it. */
      text: z.string().nullable(),
      /** The change in which it was last, for `undo`. */
      change: z.string(),
      at: z.string(),
    }),
  ),
});

export const digestOfAuthor = sharedSchema(
  "DigestOfAuthor",
  z.object({
    author: z.string(),
    changes: z.number().int(),
    /** New items. */
    learned: part,
    /** Superseded, edited, labelled, brought back, settled. */
    changed: part,
    /** Conflicts that were opened. */
    contradicted: part,
    /** Deleted or purged. */
    forgotten: part,
  }),
);

export type DigestOfAuthor = z.output<typeof digestOfAuthor>;
