import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const MISTAKE_LABEL = "mistake";
export const AVOIDED_LABEL = "avoided";
export const REPEATED_LABEL = "repeated";

/**
 * `refused`: the user rejected the call; `corrected`: the user changed the written text; `undone`:
 * the user reverted the turn; `cured`: the call failed and another one succeeded.
 */
export const MISTAKE_WAYS = ["refused", "corrected", "undone", "cured"] as const;

const text = z.string().max(4_000);

export const mistakePair = z.object({
  how: z.enum(MISTAKE_WAYS),
  command: text.optional(),
  file: text.optional(),
  wrote: z.array(text).max(40).optional(),
  error: text.optional(),
  wanted: text,
});
export type MistakePair = z.output<typeof mistakePair>;

export const mistakeRecord = sharedSchema(
  "Mistake",
  z.object({
    id: z.string(),
    content: z.string(),
    ...mistakePair.shape,
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    session: z.string().nullable(),
    at: z.string(),
    avoided: z.array(z.string()),
    repeated: z.array(z.string()),
  }),
);
export type MistakeRecord = z.output<typeof mistakeRecord>;
