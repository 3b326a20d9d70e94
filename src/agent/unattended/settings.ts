import { z } from "zod";

const count = z.number().int().min(1);

/** Of `cairn run` and `/tasks run --unattended`; names are the config file's. */
export const unattendedSettings = z.strictObject({
  hours: z
    .number()
    .positive()
    .default(10)
    .describe("Hours that an unattended run may take from its first start on, waits included."),
  maxCost: z.number().min(0).optional().describe("US dollars that an unattended run may cost."),
  maxTokens: count.optional().describe("Tokens that an unattended run may read and write."),
  maxTurns: count.default(200).describe("Model requests for one task of an unattended run."),
  maxIdleTurns: count
    .default(60)
    .describe("Model requests without a change of any file that end a task of an unattended run."),
  maxEqualFailures: count
    .default(3)
    .describe("How often a check of a task may fail in the same way before the task is ended."),
  maxDiskMb: count.optional().describe("MB that the copies of an unattended run may take."),
  outageHours: z
    .number()
    .positive()
    .default(6)
    .describe("Hours in a row for which a model that does not answer is waited for."),
  atOnce: count.max(16).default(1).describe("Tasks of an unattended run at the same time."),
  questions: z
    .enum(["wait", "refuse"])
    .default("wait")
    .describe("What asks for a person in an unattended run: it waits, or is refused and told."),
  land: z
    .enum(["copy", "branch"])
    .default("copy")
    .describe("What becomes of a task that is done: its copy is kept, or becomes a branch too."),
  checks: z
    .array(z.string().min(1))
    .default([])
    .describe("Commands that must succeed before a task of an unattended run counts as done."),
  checkTimeoutMs: count.default(1_800_000).describe("For one of them; milliseconds."),
  notify: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "A command and its arguments that tells you of questions and the end: title and text are added, all of it comes as JSON on its input.",
    ),
});
