import { z } from "zod";
import { idField } from "../input/fields.ts";
import { explanation, recallInput } from "./recall.schema.ts";

const { explain: _explain, ...asked } = recallInput.shape;

export const whyNotInput = z.strictObject({
  id: idField.describe(
    "Expected item: the id of an episode, fact or concept, or words that find it.",
  ),
  ...asked,
});

const meantItem = z.object({
  text: z.string(),
  /** Other possible matches, most likely first. */
  others: z.array(z.object({ id: z.string(), text: z.string() })),
});

export type MeantItem = z.output<typeof meantItem>;

export const whyNotOutput = z.object({
  id: z.string(),
  kind: z.enum(["episode", "concept"]),
  meant: meantItem.optional(),
  returned: z.boolean(),
  rank: z.number().int().nullable(),
  candidates: z.number().int(),
  asked: z.number().int(),
  score: z.number(),
  /** Score of the last returned item; null if fewer were found than requested. */
  needed: z.number().nullable(),
  words: z.object({
    query: z.array(z.string()),
    held: z.array(z.string()),
    missing: z.array(z.string()),
  }),
  /** Null without vector search or the item's vector. */
  similarity: z.object({ cosine: z.number(), floor: z.number() }).nullable(),
  reasons: z.array(z.string()),
  explain: explanation.optional(),
});

export type WhyNot = z.output<typeof whyNotOutput>;
