import { z } from "zod";
import { idField } from "../input/fields.ts";
import { explanation, recallInput } from "./recall.schema.ts";

const { explain: _explain, ...asked } = recallInput.shape;

export const whyNotInput = z.strictObject({
  id: idField.describe(
    "What was expected: the id of an episode, fact or concept, or words that find it.",
  ),
  ...asked,
});

/** Which item words were taken for. */
const meantItem = z.object({
  text: z.string(),
  /** What else they may mean, the likelier first. */
  others: z.array(z.object({ id: z.string(), text: z.string() })),
});

export type MeantItem = z.output<typeof meantItem>;

export const whyNotOutput = z.object({
  id: z.string(),
  kind: z.enum(["episode", "concept"]),
  /** Where it was asked for in words. */
  meant: meantItem.optional(),
  /** Whether recall returns it, asked like this. */
  returned: z.boolean(),
  /** Its place among all that the query reaches, from 1; null when it reaches it not at all. */
  rank: z.number().int().nullable(),
  /** How many of its kind the query reaches. */
  candidates: z.number().int(),
  /** How many of its kind were asked for. */
  asked: z.number().int(),
  score: z.number(),
  /** What the last one has that is returned; null while there is room. */
  needed: z.number().nullable(),
  words: z.object({
    query: z.array(z.string()),
    held: z.array(z.string()),
    missing: z.array(z.string()),
  }),
  /** Null without vectors, or where the item has none yet. */
  similarity: z.object({ cosine: z.number(), floor: z.number() }).nullable(),
  /** Each a sentence: what kept it out, and what would bring it in. */
  reasons: z.array(z.string()),
  explain: explanation.optional(),
});

export type WhyNot = z.output<typeof whyNotOutput>;
