import { z } from "zod";
import { EVENT_KINDS, SUBJECT_TYPES } from "./event.table.ts";

export const eventRecord = z.object({
  seq: z.number().int(),
  ts: z.string(),
  kind: z.enum(EVENT_KINDS),
  subject_type: z.enum(SUBJECT_TYPES),
  subject_id: z.string(),
  payload: z.record(z.string(), z.unknown()).nullable(),
});

export type EventRecord = z.output<typeof eventRecord>;
