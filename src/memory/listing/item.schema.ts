import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { labelRecord } from "../labels/label.schema.ts";
import { ITEM_KINDS } from "./item-kinds.ts";

/** An item in a list of several kinds. Fields that a kind lacks are null or empty. */
export const itemRecord = sharedSchema(
  "Item",
  z.object({
    id: z.string(),
    kind: z.enum(ITEM_KINDS),
    type: z.string(),
    title: z.string().nullable(),
    /** First 2000 characters of content, statement, summary or active facts. */
    text: z.string(),
    cut: z.boolean(),
    /** When it happened, became valid or was created; the sort key of `newest`. */
    at: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    session: z.string().nullable(),
    topic_id: z.string().nullable(),
    entities: z.array(z.string()),
    labels: z.array(labelRecord),
    processed: z.boolean().nullable(),
    fact_id: z.string().nullable(),
    episode_id: z.string().nullable(),
    cluster_id: z.string().nullable(),
    status: z.enum(["active", "superseded"]).nullable(),
    valid_from: z.string().nullable(),
    valid_to: z.string().nullable(),
    confidence: z.number().nullable(),
    mention_count: z.number().int().nullable(),
    open_conflicts: z.array(z.string()),
  }),
);

export type ItemRecord = z.output<typeof itemRecord>;
