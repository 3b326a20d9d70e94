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

const meantItem = z.object({
  text: z.string(),
  /** Other items that they may mean, most likely first. */
  others: z.array(z.object({ id: z.string(), text: z.string() })),
});

export type MeantItem = z.output<typeof meantItem>;

export const whyNotOutput = z.object({
  id: z.string(),
  kind: z.enum(["episode", "concept"]),
  meant: meantItem.optional(),
  /** True if recall returns the item for this request. */
  returned: z.boolean(),
  /**
   * Its rank, from 1, among everything that the query reaches; null if the query does not reach it.
   */
  rank: z.number().int().nullable(),
  /** Number of items of its kind the query reaches. */
  candidates: z.number().int(),
  /** Number of items of its kind the request asks for. */
  asked: z.number().int(),
  score: z.number(),
  /** The score of the last item that is returned; null if fewer were found than asked for. */
  needed: z.number().nullable(),
  words: z.object({
    query: z.array(z.string()),
    held: z.array(z.string()),
    missing: z.array(z.string()),
  }),
  /** Null without vectors, or if the item has no vector yet. */
  similarity: z.object({ cosine: z.number(), floor: z.number() }).nullable(),
  reasons: z.array(z.string()),
  explain: explanation.optional(),
});

export type WhyNot = z.output<typeof whyNotOutput>;
