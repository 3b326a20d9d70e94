import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { eventRecord, fieldChange } from "../events/event.schema.ts";

export const changeRecord = sharedSchema(
  "Change",
  z.object({
    id: z.string(),
    ts: z.string(),
    author: z.string(),
    surface: z.string(),
    session: z.string().nullable(),
    operation: z.string(),
    undo_of: z.array(z.string()),
    undone_by: z.string().nullable(),
    event_count: z.number().int(),
    /** The first 50 events. */
    events: z.array(eventRecord),
    texts: z.record(z.string(), z.string()).optional(),
    changed: z.array(fieldChange).optional(),
  }),
);

export type ChangeRecord = z.output<typeof changeRecord>;
