import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { EVENT_KINDS, SUBJECT_TYPES } from "./event.table.ts";

/** One field of one item, before and after; null where there was or is nothing. */
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
    /** The change that it belongs to; null for events of the time before changes were kept. */
    change_id: z.string().nullable(),
    changed: z.array(fieldChange).optional(),
  }),
);

export type EventRecord = z.output<typeof eventRecord>;
