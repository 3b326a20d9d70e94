import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { EVENT_KINDS, SUBJECT_TYPES } from "./event.table.ts";

/** The previous and new value of a field; null if absent. */
export const fieldChange = sharedSchema(
  "FieldChange",
  z.object({
    subject_id: z.string(),
    field: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  }),
);

export type FieldChange = z.output<typeof fieldChange>;

export const eventRecord = sharedSchema(
  "Event",
  z.object({
    seq: z.number().int(),
    ts: z.string(),
    kind: z.enum(EVENT_KINDS),
    subject_type: z.enum(SUBJECT_TYPES),
    subject_id: z.string(),
    payload: z.record(z.string(), z.unknown()).nullable(),
    /** Null for events recorded before changes existed. */
    change_id: z.string().nullable(),
    changed: z.array(fieldChange).optional(),
  }),
);

export type EventRecord = z.output<typeof eventRecord>;
