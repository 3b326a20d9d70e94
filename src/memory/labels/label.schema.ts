import { z } from "zod";

export const labelRecord = z.object({ key: z.string(), value: z.string() });
export type LabelRecord = z.output<typeof labelRecord>;

export const labelCount = labelRecord.extend({
  /** Active episodes and concepts that carry it. */
  count: z.number().int(),
});
