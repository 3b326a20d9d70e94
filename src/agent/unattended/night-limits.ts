import { z } from "zod";

/** What an unattended run may take; each is told by name where it ends something. */
export const nightLimits = z.strictObject({
  /** Of the whole run, from its first start on: sleep of the machine counts. */
  hours: z.number().positive(),
  /** US dollars; undefined: none. */
  cost: z.number().min(0).optional(),
  /** Read and written; undefined: none. */
  tokens: z.number().int().min(1).optional(),
  /** Model requests of one task. */
  turns: z.number().int().min(1),
  /** Of all copies of the run; undefined: none. */
  diskMb: z.number().int().min(1).optional(),
  /** For how long in a row a model that does not answer is waited for. */
  outageHours: z.number().positive(),
  /** Model requests of one task after which its files must have changed. */
  idleTurns: z.number().int().min(1),
  /** How often a check may fail in the same way. */
  equalFailures: z.number().int().min(1),
});

export type NightLimits = z.output<typeof nightLimits>;

/** In words, as a report says which limit it was. */
export const LIMIT_WORDS = {
  hours: "the time",
  cost: "the money",
  tokens: "the tokens",
  turns: "the model requests of one task",
  diskMb: "the disk",
  outageHours: "the wait for a model that does not answer",
  space: "the disk is full",
  service: "the model service refuses",
} as const;

export type LimitName = keyof typeof LIMIT_WORDS;

/** Ends one task (`turns`) or the whole run. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
  readonly limit: LimitName;

  constructor(limit: LimitName, message: string) {
    super(message);
    this.limit = limit;
  }
}

/** Ends one task: it gets nowhere. */
export class Loop extends Error {
  override readonly name = "Loop";
}
