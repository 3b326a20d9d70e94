import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const MISTAKE = "mistake";
export const AVOIDED = "avoided";
export const REPEATED = "repeated";

/**
 * `refused`: a person said no to the call, in words; `corrected`: what was written was written again
 * as a person wanted it; `undone`: a person took the turn back; `cured`: it failed, and something
 * else did not.
 */
export const MISTAKE_WAYS = ["refused", "corrected", "undone", "cured"] as const;

const text = z.string().max(4_000);

/** A pair in the metadata of its episode, under `mistake`: what was done, and what was wanted instead. */
export const mistakePair = z.object({
  how: z.enum(MISTAKE_WAYS),
  command: text.optional(),
  /** Relative to the project. */
  file: text.optional(),
  /** Lines that were written. */
  wrote: z.array(text).max(40).optional(),
  /** The line with which it failed. */
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
    /** Sessions in which it was made all the same. */
    repeated: z.array(z.string()),
  }),
);
export type MistakeRecord = z.output<typeof mistakeRecord>;
