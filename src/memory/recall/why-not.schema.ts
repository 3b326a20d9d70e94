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

/** The item that the words were taken to mean. */
const meantItem = z.object({
  text: z.string(),
  /** Other items that they may mean, most likely first. */
  others: z.array(z.object({ id: z.string(), text: z.string() })),
});

export type MeantItem = z.output<typeof meantItem>;

export const whyNotOutput = z.object({
  id: z.string(),
  kind: z.enum(["episode", "concept"]),
  /** Present if the item was given in words. */
  meant: meantItem.optional(),
  /** Whether recall returns the item for this request. */
  returned: z.boolean(),
  /**
   * Its rank, from 1, among everything that the query reaches; null if the query does not reach it.
   */
  rank: z.number().int().nullable(),
  /** How many items of its kind the query reaches. */
  candidates: z.number().int(),
  /** How many items of its kind the request asks for. */
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
  /** Sentences that say what kept the item out and what would bring it in. */
  reasons: z.array(z.string()),
  explain: explanation.optional(),
});

export type WhyNot = z.output<typeof whyNotOutput>;
