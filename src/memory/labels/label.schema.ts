import { z } from "zod";
import { sharedSchema } from "../../shared/json-schema.ts";

export const labelRecord = sharedSchema("Label", z.object({ key: z.string(), value: z.string() }));
export type LabelRecord = z.output<typeof labelRecord>;

export const labelCount = sharedSchema(
  "LabelCount",
  labelRecord.extend({
    count: z.number().int(),
  }),
);
export type LabelCount = z.output<typeof labelCount>;
