import { z } from "zod";

/** A failed command that has not passed since, with the steps taken in between. */
const openFailure = z.object({
  command: z.string(),
  error: z.string(),
  files: z.array(z.string()),
  commands: z.array(z.string()),
});

const writtenEdit = z.object({ file: z.string(), lines: z.array(z.string()), said: z.string() });

/** A shortened statement, needed only to interpret a later confirmation or for a summary. */
const earlierStatement = z.object({
  by: z.enum(["user", "assistant"]),
  text: z.string(),
  hasReadForeign: z.boolean().optional(),
});

const readingState = z.object({
  task: z.string(),
  files: z.array(z.string()),
  failures: z.array(openFailure),
  found: z.record(z.string(), z.array(z.string())),
  written: z.array(writtenEdit).default([]),
  said: z.array(earlierStatement).default([]),
});

export const sessionReading = z.object({
  mark: z.object({ offset: z.number(), records: z.number() }),
  soFar: readingState,
});

export type OpenFailure = z.output<typeof openFailure>;
export type EarlierStatement = z.output<typeof earlierStatement>;
export type WrittenEdit = z.output<typeof writtenEdit>;
export type ReadingState = z.output<typeof readingState>;
export type SessionReading = z.output<typeof sessionReading>;

export const EMPTY_STATE: ReadingState = {
  ...{ task: "", files: [], failures: [], found: {}, written: [] },
  said: [],
};
