import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { RECALL_WAYS } from "./recall-log.table.ts";

const notedItem = z.object({
  id: z.string(),
  rank: z.number().int(),
  score: z.number().nullable(),
  /** Found but omitted by the size limit. */
  cut: z.boolean(),
  /** Type of the episode or concept, or `passage`; null if the item no longer exists here. */
  type: z.string().nullable(),
  text: z.string().nullable(),
});

export const recallNote = sharedSchema(
  "RecallNote",
  z.object({
    id: z.string(),
    at: z.string(),
    /** `start`, `prompt` and `moment`: context from a hook or the agent; else the surface used. */
    way: z.enum(RECALL_WAYS),
    client: z.string().nullable(),
    session: z.string().nullable(),
    by: z.string().nullable(),
    /** Null if there was no query text or it was purged. */
    question: z.string().nullable(),
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
    /** Number of the fact's past and present conflicts; set in lists of contradicted items. */
    conflicts: z.number().int().optional(),
  }),
);

export type ItemUse = z.output<typeof itemUse>;
