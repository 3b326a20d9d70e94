import { z } from "zod";
import { ERROR_CODES } from "../../shared/errors.ts";
import { sharedSchema } from "../../shared/json-schema.ts";
import { conflictRecord } from "../conflicts/conflict.schema.ts";
import { factRecord } from "../facts/fact.schema.ts";
import { recallFilterFields } from "../filters/filter-condition.ts";
import type { FilterInput } from "../filters/resolve-filter.ts";
import {
  countField,
  endTimeField,
  idOf,
  labelFilterField,
  nameField,
  noteField,
} from "../input/fields.ts";
import { labelRecord } from "../labels/label.schema.ts";
import { recalledPassage } from "./passages/passage.schema.ts";

// Single entity, single topic and labels have separate fields in this request.
const {
  entity: _entity,
  topic: _topic,
  labels: _labels,
  ...otherFilterFields
} = recallFilterFields;

export const recallInput = z.strictObject({
  query: noteField.optional().describe("Words or a question."),
  k: countField.default(3).describe("Maximum number of concepts."),
  context: noteField.optional().describe("Topic of the query; weighs half."),
  entity: idOf("entity").optional().describe("type:name; only items about this entity."),
  episode_k: countField.default(5).describe("Maximum number of episodes."),
  passage_k: countField
    .default(0)
    .describe("Maximum number of passages from sessions, histories and files."),
  labels: labelFilterField.optional().describe("key=value pairs that every item must have."),
  as_of: endTimeField
    .optional()
    .describe("State that was valid at this date or datetime, as known now."),
  known_at: endTimeField
    .optional()
    .describe(
      "State that was known at this date or datetime; with `as_of`, what was then believed about that time.",
    ),
  max_chars: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("Character budget; lower-ranked items are dropped, a single long one is truncated."),
  min_score: z.number().optional().describe("Minimum score, 0 to 1."),
  timeout_ms: countField.optional().describe("Time limit; returns what was found by then."),
  topic: nameField.optional().describe("Id or name of a topic; only its items."),
  ...otherFilterFields,
  explain: z.boolean().default(false).describe("Explain the score of each item."),
});

export type RecallRequest = Omit<z.output<typeof recallInput>, "explain" | "passage_k"> & {
  readonly passage_k?: number | undefined;
  readonly explain?: boolean | undefined;
  readonly narrowedBy?: FilterInput | undefined;
};

export const CONTRIBUTION_KINDS = [
  "text",
  "vector",
  "tokens",
  "entity",
  "date",
  "session",
  "neighbours",
  "evidence",
  "relations",
  "question",
  "echo",
  "standing",
  "voice",
  "steps",
] as const;

export type ContributionKind = (typeof CONTRIBUTION_KINDS)[number];

/** Parts of an item's activation; score = (1 - exp(-activation)) × certainty. */
export const explanation = sharedSchema(
  "Explanation",
  z.object({
    activation: z.number(),
    /**
     * Text match relative to the best, 0..1, plus up to half for context words; 0..0.6 with tokens.
     */
    text: z.number(),
    /** Similarity above the background of the embedder, 0..1; 0..0.5 if tokens are compared too. */
    vector: z.number(),
    /** Token similarity above the background, 0..1.75. */
    tokens: z.number(),
    /** Cosine similarity to the query; absent if not measured. */
    cosine: z.number().optional(),
    /** Token similarity to the query; absent if not compared. */
    similarity: z.number().optional(),
    coverage: z.number(),
    /** Weight of the rarest matched word, 0..1; 1 for a word without other occurrences. */
    rarity: z.number(),
    held: z.number(),
    /** 1 if the item mentions an entity of the query, 0.5 for a secondary person. */
    entity: z.number(),
    /** 1 if the item is about the queried time, less for a partial overlap. */
    date: z.number(),
    session: z.number(),
    /** Propagated from episodes one or two positions away in the session. */
    neighbours: z.number(),
    /** Propagated over sources, evidence and facts, between episodes and concepts. */
    evidence: z.number(),
    /** Propagated over relations between concepts. */
    relations: z.number(),
    /** Negative if the episode is a question. */
    question: z.number(),
    /** From the similarity to the best episodes, 0..0.3. */
    echo: z.number(),
    /** For a standing instruction: its text match, 0..1. */
    standing: z.number(),
    voice: z.number(),
    steps: z.number(),
    /** Activation by origin (`query` or the id of an item), largest first. */
    contributions: z.array(
      z.object({
        kind: z.enum(CONTRIBUTION_KINDS),
        from: z.string(),
        amount: z.number(),
      }),
    ),
  }),
);

export type Explanation = z.output<typeof explanation>;

export const recalledConcept = sharedSchema(
  "RecalledConcept",
  z.object({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    type: z.string(),
    layer: z.string().optional(),
    confidence: z.number(),
    score: z.number(),
    /**
     * `direct`: own text, vector or facts matched. `entity`: its episodes mention a queried entity.
     * `spread`: found only through the graph.
     */
    source: z.enum(["direct", "spread", "entity"]),
    /** Number of edges from a matching item. */
    hops: z.number().int(),
    /** Id of the item or entity that led here. */
    via: z.string().optional(),
    /** Valid facts of a fact cluster: the best matches, at most 50. */
    facts: z.array(factRecord).optional(),
    /** Total number of facts, if not all are listed. */
    fact_count: z.number().int().optional(),
    labels: z.array(labelRecord),
    created_at: z.string(),
    open_conflicts: z.array(z.string()).optional(),
    explain: explanation.optional(),
  }),
);

export type RecalledConcept = z.output<typeof recalledConcept>;

export const recalledEpisode = sharedSchema(
  "RecalledEpisode",
  z.object({
    id: z.string(),
    content: z.string(),
    episode_type: z.string(),
    layer: z.string().optional(),
    score: z.number(),
    created_at: z.string(),
    occurred_at: z.string().nullable(),
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    entities: z.array(z.string()),
    labels: z.array(labelRecord),
    fact_id: z.string().nullable(),
    explain: explanation.optional(),
  }),
);

export type RecalledEpisode = z.output<typeof recalledEpisode>;

/** A layer that returned no results, with the cause and the cure. */
export const layerWarning = sharedSchema(
  "LayerWarning",
  z.object({
    layer: z.string(),
    code: z.enum(ERROR_CODES),
    message: z.string(),
  }),
);

export type LayerWarning = z.output<typeof layerWarning>;

export const recallOutput = z.object({
  concepts: z.array(recalledConcept),
  episodes: z.array(recalledEpisode),
  /** Passages with past outcomes; only if requested. */
  passages: z.array(recalledPassage).optional(),
  open_conflicts: z.array(conflictRecord),
  warnings: z.array(layerWarning).optional(),
  /** True if the time limit was reached or some items have no vector. */
  partial: z.boolean(),
  /** The result as text: complete items, highest score first. */
  formatted: z.string(),
  explain: z
    .object({
      words: z.array(z.string()),
      entities: z.array(z.string()),
      /** False if no vector could be computed, so that only text and graph were searched. */
      vectors: z.boolean(),
      missing_vectors: z.number().int(),
      /** Probability that memory covers the query's subject, 0..1; a factor of every score. */
      certainty: z.number(),
    })
    .optional(),
});

export type RecallOutput = z.output<typeof recallOutput>;
