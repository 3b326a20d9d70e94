import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { PASSAGE_ROLES } from "./source.table.ts";

export const sourceRecord = sharedSchema(
  "Source",
  z.object({
    id: z.string(),
    kind: z.string(),
    key: z.string(),
    title: z.string(),
    place: z.string().nullable(),
    mark: z.string().nullable(),
    learned_through: z.string().nullable(),
    unlearned: z.number().int(),
    passages: z.number().int(),
    size: z.number().int(),
    first_at: z.string().nullable(),
    last_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  }),
);

export type SourceRecord = z.output<typeof sourceRecord>;

export const passageRecord = sharedSchema(
  "Passage",
  z.object({
    id: z.string(),
    source_id: z.string(),
    key: z.string(),
    kind: z.string(),
    role: z.enum(PASSAGE_ROLES),
    by: z.string(),
    text: z.string(),
    files: z.array(z.string()),
    branch: z.string().nullable(),
    reverts: z.string().nullable(),
    occurred_at: z.string(),
    created_at: z.string(),
    deleted_at: z.string().nullable(),
  }),
);

export type PassageRecord = z.output<typeof passageRecord>;
