import { z } from "zod";
import { nightLimits } from "./night-limits.ts";
import { nightTask } from "./night-task.ts";

const usage = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; null: nobody knows the price. */
  dollars: z.number().nullable(),
});

export type CountedUse = z.output<typeof usage>;

export const nightOptions = z.strictObject({
  project: z.string(),
  /** The file as it was named; of tasks that were kept in the project: undefined. */
  file: z.string().optional(),
  inPlace: z.boolean(),
  /** What becomes of a task that is done: its copy is kept, or a branch is made of it too. */
  land: z.enum(["copy", "branch"]),
  atOnce: z.number().int().min(1),
  questions: z.enum(["wait", "refuse"]),
  /** Of all tasks. */
  checks: z.array(z.string()),
  checkTimeoutMs: z.number().int().min(1),
  /** Those that the person gave or trusts: others run in a sandbox alone. */
  trustedChecks: z.union([z.literal("all"), z.array(z.string())]),
  limits: nightLimits,
});

export type NightOptions = z.output<typeof nightOptions>;

export const landed = z.strictObject({
  /** Name of the copy; undefined: it was done in the project itself. */
  copy: z.string().optional(),
  branch: z.string().optional(),
  commit: z.string().optional(),
  files: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  /** Why there is no branch although one was wanted. */
  problem: z.string().optional(),
});

export type Landed = z.output<typeof landed>;

const task = z.string();

/** What is taken down of an unattended run, one line each; `at` is a timestamp. */
const said = z.discriminatedUnion("is", [
  z.strictObject({
    is: z.literal("begun"),
    night: z.string(),
    tasks: z.array(nightTask),
    options: nightOptions,
    /** The last change of memory before it. */
    memorySeq: z.number().int().nullable(),
  }),
  z.strictObject({ is: z.literal("resumed"), limits: nightLimits }),
  z.strictObject({ is: z.literal("paused"), reason: z.string() }),
  z.strictObject({ is: z.literal("started"), task, copy: z.string().optional() }),
  z.strictObject({ is: z.literal("working"), task }),
  z.strictObject({
    is: z.literal("turned"),
    task,
    problem: z.string().optional(),
    /** Why the model says that it cannot be done. */
    refusal: z.string().optional(),
  }),
  z.strictObject({
    is: z.literal("checked"),
    task,
    command: z.string(),
    ok: z.boolean(),
    reason: z.string(),
    output: z.string(),
  }),
  z.strictObject({
    is: z.literal("asked"),
    task,
    question: z.string(),
    title: z.string(),
    reason: z.string(),
    kind: z.enum(["permission", "words"]).optional(),
    /** All that whoever answers has to see. */
    text: z.string().optional(),
    choices: z.array(z.strictObject({ key: z.string(), label: z.string() })).optional(),
  }),
  z.strictObject({ is: z.literal("answered"), task, question: z.string(), answer: z.string() }),
  z.strictObject({ is: z.literal("requested"), task, request: z.string(), reserved: usage }),
  z.strictObject({
    is: z.literal("counted"),
    task,
    request: z.string(),
    used: usage,
    /** The whole answer came. */
    ok: z.boolean(),
  }),
  z.strictObject({ is: z.literal("waited"), task, until: z.string(), reason: z.string() }),
  z.strictObject({
    is: z.literal("finished"),
    task,
    outcome: z.enum(["done", "failed"]),
    reason: z.string(),
    landed: landed.optional(),
  }),
  z.strictObject({ is: z.literal("noted"), text: z.string() }),
  z.strictObject({ is: z.literal("ended"), reason: z.string() }),
]);

export type NightFact = z.output<typeof said>;

export const nightEntry = z
  .intersection(z.object({ at: z.string() }), z.unknown())
  .transform((line, context): NightEntry => {
    const { at, ...rest } = line as { at: string } & Record<string, unknown>;
    const fact = said.safeParse(rest);
    if (fact.success) return { at, ...fact.data };
    context.addIssue({ code: "custom", message: fact.error.message });
    return z.NEVER;
  });

export type NightEntry = NightFact & { readonly at: string };
