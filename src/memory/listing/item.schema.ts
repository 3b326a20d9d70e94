import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { labelRecord } from "../labels/label.schema.ts";
import { ITEM_KINDS } from "./item-kinds.ts";

/** A row of a list of items of several kinds. What a kind does not have is null or empty. */
export const itemRecord = sharedSchema(
  "Item",
  z.object({
    id: z.string(),
    kind: z.enum(ITEM_KINDS),
    /** Of the episode, concept or entity; `fact` for a fact. */
    type: z.string(),
    title: z.string().nullable(),
    /** Content, statement, summary, or what of a cluster holds; its first 2000 characters. */
    text: z.string(),
    cut: z.boolean(),
    /** When it happened, began to hold or was first written: what `newest` sorts by. */
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
    /** The fact that an episode claims, or the fact itself. */
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
