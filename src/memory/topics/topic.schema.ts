import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const topicRecord = sharedSchema(
  "Topic",
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    episode_count: z.number().int(),
    concept_count: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export type TopicRecord = z.output<typeof topicRecord>;
