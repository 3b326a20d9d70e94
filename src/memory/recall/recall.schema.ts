import { z } from "zod";
import { ERROR_CODES } from "../../shared/errors.ts";
import { sharedSchema } from "../../shared/json-schema.ts";
import { conflictRecord } from "../conflicts/conflict.schema.ts";
import { factRecord } from "../facts/fact.schema.ts";
import { recallFilterFields } from "../filters/filter-condition.ts";
import type { GivenFilter } from "../filters/resolve-filter.ts";
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
  as_of: endTimeField.optional().describe("What was valid at this date or datetime, as known now."),
  known_at: endTimeField
    .optional()
    .describe("What was known at this date or datetime; with as_of, what was then believed of it."),
  max_chars: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("Character budget; lower-ranked items are dropped, a single long one is truncated."),
  min_score: z.number().optional().describe("Minimum score, 0 to 1."),
  timeout_ms: countField.optional().describe("Time limit; returns what was found by then."),
  topic: nameField.optional().describe("Id or name of a topic; only what belongs to it."),
  ...otherFilterFields,
  explain: z.boolean().default(false).describe("Say for each item where its score came from."),
});

/** A request for recall. An absent field does not narrow the search. */
export type RecallRequest = Omit<z.output<typeof recallInput>, "explain" | "passage_k"> & {
  readonly passage_k?: number | undefined;
  readonly explain?: boolean | undefined;
  readonly narrowedBy?: GivenFilter | undefined;
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

/** The parts of an item's activation; score = (1 - exp(-activation)) × certainty. */
export const explanation = sharedSchema(
  "Explanation",
  z.object({
    activation: z.number(),
    /**
     * Text match as a share of the best, 0..1, plus up to half for words of the context; 0..0.6 if
     * tokens are compared too.
     */
    text: z.number(),
    /** Similarity above the background of the embedder, 0..1; 0..0.5 if tokens are compared too. */
    vector: z.number(),
    /** How well single words match those of the query, above the background, 0..1.75. */
    tokens: z.number(),
    /** Cosine similarity to the query; absent if it was not measured. */
    cosine: z.number().optional(),
    /** Similarity of the tokens to those of the query; absent if they were not compared. */
    similarity: z.number().optional(),
    /** Weight of the query's words that the item contains, relative to all of them, 0..1. */
    coverage: z.number(),
    /** Weight of the rarest of these words, 0..1; 1 is a word that occurs nowhere else. */
    rarity: z.number(),
    held: z.number(),
    /** 1 if the item is about an entity that the query names, 0.5 for a person named only aside. */
    entity: z.number(),
    /**
     * 1 if the item is about the time that the query names, less if only part of its time was asked
     * for.
     */
    date: z.number(),
    /** From the strongest episodes of the same session. */
    session: z.number(),
    /** From episodes one or two positions away in the same session. */
    neighbours: z.number(),
    /** Over sources, evidence and facts, between episodes and concepts. */
    evidence: z.number(),
    /** Over relations between concepts. */
    relations: z.number(),
    /** Negative if the episode asks instead of telling. */
    question: z.number(),
    /** From its similarity to the best episodes, 0..0.3. */
    echo: z.number(),
    /** For a standing instruction, as much as its own words match, 0..1. */
    standing: z.number(),
    voice: z.number(),
    steps: z.number(),
    /**
     * The same activation by origin, largest first: `query`, or the id of the item that lent it.
     */
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
    /** Activation, 0..1. */
    score: z.number(),
    /**
     * `direct`: its own text, vector or facts matched. `entity`: its episodes mention an entity
     * that was asked for. `spread`: only the graph led to it.
     */
    source: z.enum(["direct", "spread", "entity"]),
    /** Number of edges between it and what matched. */
    hops: z.number().int(),
    /** Id of the item or entity that led to it. */
    via: z.string().optional(),
    /** Valid facts of a fact cluster: the best matches, at most 50. */
    facts: z.array(factRecord).optional(),
    /** The number of its facts, if not all are listed. */
    fact_count: z.number().int().optional(),
    labels: z.array(labelRecord),
    created_at: z.string(),
    /** Ids of open conflicts between its facts. */
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
    /** Activation, 0..1. */
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

/** A layer that contributed nothing to the answer, and how to fix that. */
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
  /** Passages on how things were settled elsewhere; only if the call asks for them. */
  passages: z.array(recalledPassage).optional(),
  /** Open conflicts between the facts shown. */
  open_conflicts: z.array(conflictRecord),
  /** Layers that could not be read. */
  warnings: z.array(layerWarning).optional(),
  /** True if time ran out or some items still have no vector. */
  partial: z.boolean(),
  /** The same result as text: whole items, highest score first. */
  formatted: z.string(),
  explain: z
    .object({
      words: z.array(z.string()),
      entities: z.array(z.string()),
      /** False if no vector could be computed, so that only text and graph were searched. */
      vectors: z.boolean(),
      missing_vectors: z.number().int(),
      /**
       * How certain it is that memory knows the subject of the query, 0..1. Every score is
       * multiplied by it.
       */
      certainty: z.number(),
    })
    .optional(),
});

export type RecallOutput = z.output<typeof recallOutput>;
