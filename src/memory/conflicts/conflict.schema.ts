import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";
import { factRecord } from "../facts/fact.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES, SEVERITIES } from "./conflict.table.ts";

export const conflictRecord = sharedSchema(
  "Conflict",
  z.object({
    id: z.string(),
    layer: z.string().optional(),
    kind: z.enum(CONFLICT_KINDS),
    status: z.enum(CONFLICT_STATUSES),
    severity: z.enum(SEVERITIES),
    description: z.string().nullable(),
    fact_a: factRecord,
    fact_b: factRecord,
    /** Id of the winning fact; null while open or when dismissed. */
    winner: z.string().nullable(),
    note: z.string().nullable(),
    resolved_by: z.string().nullable(),
    created_at: z.string(),
    resolved_at: z.string().nullable(),
  }),
);

export type ConflictRecord = z.output<typeof conflictRecord>;
