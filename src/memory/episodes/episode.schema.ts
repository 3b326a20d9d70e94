import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { labelRecord } from "../labels/label.schema.ts";

export const PRIORITIES = ["p0", "p1", "p2"] as const;

export const episodeRecord = sharedSchema(
  "Episode",
  z.object({
    id: z.string(),
    content: z.string(),
    episode_type: z.string(),
    entities: z.array(z.string()),
    labels: z.array(labelRecord),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    source_type: z.string().nullable(),
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    session: z.string().nullable(),
    occurred_at: z.string().nullable(),
    plan_id: z.string().nullable(),
    spec_ids: z.array(z.string()),
    depends_on: z.array(z.string()),
    priority: z.enum(PRIORITIES).nullable(),
    topic_id: z.string().nullable(),
    processed: z.boolean(),
    fact_id: z.string().nullable(),
    valid_to: z.string().optional(),
    replaced_by: z.string().optional(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  }),
);

export type EpisodeRecord = z.output<typeof episodeRecord>;
