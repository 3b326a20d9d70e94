import { z } from "zod";
import { ERROR_CODES } from "../../kernel/errors.ts";
import { sharedSchema } from "../../kernel/shared-schema.ts";
import { conflictRecord } from "../conflicts/conflict.schema.ts";
import { factRecord } from "../facts/fact.schema.ts";
import { recallFilterFields } from "../filters/filter-fields.ts";
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

// One entity, one topic and the labels are asked for in fields of their own form.
const {
  entity: _entity,
  topic: _topic,
  labels: _labels,
  ...otherFilterFields
} = recallFilterFields;

export const recallInput = z.strictObject({
  query: noteField.optional().describe("What to look for, in words or as a question."),
  k: countField.default(3).describe("Concepts to return."),
  context: noteField.optional().describe("What the question is about; it counts half."),
  entity: idOf("entity")
    .optional()
    .describe("type:name; only what is about this entity. May stand alone."),
  episode_k: countField.default(5).describe("Episodes to return; 0 for none."),
  passage_k: countField
    .default(0)
    .describe("Passages of sessions, histories and files to return; 0 for none."),
  labels: labelFilterField
    .optional()
    .describe("key=value pairs that what is searched must all carry."),
  as_of: endTimeField.optional().describe("What held at this date or datetime, as known now."),
  known_at: endTimeField
    .optional()
    .describe("What was known at this date or datetime; with as_of, what was then believed of it."),
  max_chars: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("Longest formatted text; items that do not fit are left out, the best alone is cut."),
  min_score: z.number().optional().describe("Least activation, 0..1, that is returned."),
  timeout_ms: countField.optional().describe("Soft limit; what was found by then is returned."),
  topic: nameField.optional().describe("Id or name of a topic; only what belongs to it."),
  ...otherFilterFields,
  explain: z.boolean().default(false).describe("Say for each item where its score came from."),
});

/** What recall is asked; every field that is absent does not narrow the search. */
export type RecallRequest = Omit<z.output<typeof recallInput>, "explain" | "passage_k"> & {
  readonly passage_k?: number | undefined;
  readonly explain?: boolean | undefined;
};

/** What can reach an item: the parts that are shares of its activation. */
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

/** The summands of an item's activation; score = 1 - exp(-activation). */
export const explanation = sharedSchema(
  "Explanation",
  z.object({
    activation: z.number(),
    /** Share of the best text match, 0..1, and half of it for words of the context; 0..0.6 beside tokens. */
    text: z.number(),
    /** Similarity above the background of the embedder, 0..1; 0..0.5 beside tokens. */
    vector: z.number(),
    /** How well its words match those of the query one by one, above the background, 0..1.75. */
    tokens: z.number(),
    /** Cosine similarity to the query, absent where it was not measured. */
    cosine: z.number().optional(),
    /** 1 when it is about an entity that the query names, 0.5 of a person whom it names aside. */
    entity: z.number(),
    /** 1 when it tells of the time that the query names, and less where only some of it was asked for. */
    date: z.number(),
    /** From the strongest episodes of the same session. */
    session: z.number(),
    /** From episodes one or two places away in the same session. */
    neighbours: z.number(),
    /** Along sources, evidence and facts, between episodes and concepts. */
    evidence: z.number(),
    /** Along relations between concepts. */
    relations: z.number(),
    /** Below 0 where it asks instead of telling. */
    question: z.number(),
    /** From its similarity to the best episodes, 0..0.3. */
    echo: z.number(),
    /** As much as its own words match, 0..1, where it says how things are to be done from then on. */
    standing: z.number(),
    /** Below 0 where an assistant said it and the query is about the one who asks. */
    voice: z.number(),
    /** Below 0 where an order is asked for and it was said near what ranks higher. */
    steps: z.number(),
    /** The same by what it came from, the largest first: `query`, or the id of the item that lent it. */
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
    /** Database that it stands in, where several layers were read; the ids of farther ones begin with it. */
    layer: z.string().optional(),
    confidence: z.number(),
    /** Activation, 0..1. */
    score: z.number(),
    /** `direct`: its own text, vector or facts matched; `entity`: its episodes mention an entity that was asked for; `spread`: only the graph led to it. */
    source: z.enum(["direct", "spread", "entity"]),
    /** Edges between it and what matched. */
    hops: z.number().int(),
    /** Id of the item or entity that led to it. */
    via: z.string().optional(),
    /** Valid facts, of a fact cluster: the best matches, at most 50. */
    facts: z.array(factRecord).optional(),
    /** How many it has, where more than are listed. */
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
    /** Database that it stands in, where several layers were read; the ids of farther ones begin with it. */
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
    /** The episode of a nearer layer that says otherwise. */
    overruled_by: z.string().optional(),
    explain: explanation.optional(),
  }),
);

export type RecalledEpisode = z.output<typeof recalledEpisode>;

/** A layer of which nothing is in the answer, and what to do about it. */
export const layerWarning = sharedSchema(
  "LayerWarning",
  z.object({
    layer: z.string(),
    /** Code of the error. */
    code: z.enum(ERROR_CODES),
    message: z.string(),
  }),
);

export type LayerWarning = z.output<typeof layerWarning>;

const contradictingSide = z.object({ id: z.string(), layer: z.string(), text: z.string() });

/** A nearer layer says otherwise than a farther one, which somebody who decides in that may change. */
export const recalledContradiction = sharedSchema(
  "LayerContradiction",
  z.object({ nearer: contradictingSide, farther: contradictingSide }),
);

export type RecalledContradiction = z.output<typeof recalledContradiction>;

export const recallOutput = z.object({
  concepts: z.array(recalledConcept),
  episodes: z.array(recalledEpisode),
  /** What was settled elsewhere, of a call that asks for it. */
  passages: z.array(recalledPassage).optional(),
  /** Open conflicts between facts that are shown. */
  open_conflicts: z.array(conflictRecord),
  /** Where a nearer layer overrules what a farther one says. */
  contradictions: z.array(recalledContradiction).optional(),
  /** Layers that could not be read. */
  warnings: z.array(layerWarning).optional(),
  /** True when time ran out, or when some items still have no vector. */
  partial: z.boolean(),
  /** The same for reading: whole items, highest score first. */
  formatted: z.string(),
  /** How the query was understood. */
  explain: z
    .object({
      words: z.array(z.string()),
      entities: z.array(z.string()),
      /** False: no vector could be made, so text and graph alone were searched. */
      vectors: z.boolean(),
      missing_vectors: z.number().int(),
      /** How sure it is that memory knows of what is asked, 0..1: every score is multiplied by it. */
      certainty: z.number(),
    })
    .optional(),
});

export type RecallOutput = z.output<typeof recallOutput>;
