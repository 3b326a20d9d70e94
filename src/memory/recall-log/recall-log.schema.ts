import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { RECALL_WAYS } from "./recall-log.table.ts";

const notedItem = z.object({
  id: z.string(),
  /** From 1, the best first; what was left out comes last. */
  rank: z.number().int(),
  /** Activation, 0..1; null where it was not ranked. */
  score: z.number().nullable(),
  /** It was found and had no room. */
  cut: z.boolean(),
  /** Type of the episode or concept, or `passage`; null where it is not here any more. */
  type: z.string().nullable(),
  text: z.string().nullable(),
});

export const recallNote = sharedSchema(
  "RecallNote",
  z.object({
    id: z.string(),
    at: z.string(),
    /** `start`, `prompt` and `moment`: what a hook or the agent told unasked; else the surface that was asked. */
    way: z.enum(RECALL_WAYS),
    /** Name of the program that asked. */
    client: z.string().nullable(),
    session: z.string().nullable(),
    by: z.string().nullable(),
    /** Null where nothing was asked in words, or it was purged. */
    question: z.string().nullable(),
    /** Everything else that was asked. */
    asked: z.record(z.string(), z.unknown()).nullable(),
    given: z.number().int(),
    cut: z.number().int(),
    items: z.array(notedItem),
  }),
);

export type RecallNote = z.output<typeof recallNote>;

export const itemUse = sharedSchema(
  "ItemUse",
  z.object({
    id: z.string(),
    type: z.string().nullable(),
    text: z.string().nullable(),
    given: z.number().int(),
    cut: z.number().int(),
    last_at: z.string().nullable(),
    /** Conflicts that its fact was ever in; of lists of what is contradicted. */
    conflicts: z.number().int().optional(),
  }),
);

export type ItemUse = z.output<typeof itemUse>;
