import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const entityRecord = sharedSchema(
  "Entity",
  z.object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    mention_count: z.number().int(),
    created_at: z.string(),
  }),
);

export type EntityRecord = z.output<typeof entityRecord>;

export const entityRelationRecord = sharedSchema(
  "EntityRelation",
  z.object({
    source: z.string(),
    target: z.string(),
    relation: z.string(),
    strength: z.number(),
    context: z.string().nullable(),
  }),
);
