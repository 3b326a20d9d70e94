import { z } from "zod";
import { sharedSchema } from "../../kernel/shared-schema.ts";

/** A fact as every surface shows it; valid at t when valid_from <= t < valid_to. */
export const factRecord = sharedSchema(
  "Fact",
  z.object({
    id: z.string(),
    cluster_id: z.string(),
    episode_id: z.string(),
    statement: z.string(),
    entities: z.array(z.string()),
    status: z.enum(["active", "superseded"]),
    valid_from: z.string(),
    valid_to: z.string().nullable(),
    superseded_by: z.string().nullable(),
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    created_at: z.string(),
  }),
);

export type FactRecord = z.output<typeof factRecord>;

/** A fact that a new one may contradict. */
export const collisionRecord = sharedSchema(
  "Collision",
  factRecord.pick({
    id: true,
    statement: true,
    asserted_by: true,
    valid_from: true,
  }),
);

export type CollisionRecord = z.output<typeof collisionRecord>;
