import { z } from "zod";

/** One task of an unattended run, as the person wrote it. */
export const nightTask = z.strictObject({
  /** As other tasks name it in `after`: its own word, or its number in the file. */
  id: z.string(),
  name: z.string(),
  /** What is written below it. */
  details: z.string(),
  /** Commands that must succeed before it counts as done, besides those of the run. */
  checks: z.array(z.string()),
  /** Ids of the tasks that must be done before. */
  after: z.array(z.string()),
});

export type NightTask = z.output<typeof nightTask>;
