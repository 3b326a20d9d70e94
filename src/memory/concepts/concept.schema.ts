import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { episodeRecord } from "../episodes/episode.schema.ts";
import { factRecord } from "../facts/fact.schema.ts";
import { labelRecord } from "../labels/label.schema.ts";
import { EVIDENCE_TYPES } from "./concept.table.ts";

export const FACT_CLUSTER = "fact_cluster";

export const relationRecord = sharedSchema(
  "Relation",
  z.object({
    type: z.string(),
    target_id: z.string(),
    strength: z.number(),
  }),
);

export const conceptRecord = sharedSchema(
  "Concept",
  z.object({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    confidence: z.number(),
    type: z.string(),
    tags: z.array(z.string()),
    relations: z.array(relationRecord),
    labels: z.array(labelRecord),
    topic_id: z.string().nullable(),
    /** Distinct source episodes; for a fact cluster, active facts. */
    instance_count: z.number().int(),
    actionable: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  }),
);

export type ConceptRecord = z.output<typeof conceptRecord>;

export const evidenceRecord = sharedSchema(
  "Evidence",
  z.object({
    episode_id: z.string(),
    type: z.enum(EVIDENCE_TYPES),
    strength: z.number(),
    note: z.string().nullable(),
  }),
);

export const lineageRecord = sharedSchema(
  "Lineage",
  z.object({
    merged_from: z.array(z.string()),
    merged_into: z.string().nullable(),
    split_from: z.string().nullable(),
    split_into: z.array(z.string()),
    note: z.string().nullable(),
  }),
);

export const conceptDetail = sharedSchema(
  "ConceptDetail",
  conceptRecord.extend({
    source_episodes: z.array(episodeRecord),
    evidence: z.array(evidenceRecord),
    lineage: lineageRecord,
    facts: z.array(factRecord).optional(),
    superseded_facts: z.array(factRecord).optional(),
  }),
);

export type ConceptDetail = z.output<typeof conceptDetail>;
