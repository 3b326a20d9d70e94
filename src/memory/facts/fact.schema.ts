import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

/** Valid at t if valid_from <= t < valid_to. superseded_at is the time of recording. */
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
    superseded_at: z.string().nullable(),
    asserted_by: z.string().nullable(),
    source_ref: z.string().nullable(),
    created_at: z.string(),
  }),
);

export type FactRecord = z.output<typeof factRecord>;

const brief = {
  id: true,
  cluster_id: true,
  statement: true,
  status: true,
  asserted_by: true,
  valid_from: true,
} as const;

/** An existing fact that a new one may contradict, abridged unless `collisions=all`. */
export const collisionRecord = sharedSchema("Collision", factRecord.partial().required(brief));

export type CollisionRecord = z.output<typeof collisionRecord>;
