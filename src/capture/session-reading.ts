import { z } from "zod";

/** A command that failed and has not passed since, with what was done in the meantime. */
const openFailure = z.object({
  command: z.string(),
  error: z.string(),
  files: z.array(z.string()),
  commands: z.array(z.string()),
});

/** An edit, with what the person said first after it; empty until then. */
const writtenEdit = z.object({ file: z.string(), lines: z.array(z.string()), said: z.string() });

/** What somebody said; shortened, since only a yes to it or a summary of it may still come. */
const saidBefore = z.object({
  by: z.enum(["user", "assistant"]),
  text: z.string(),
  hasReadForeign: z.boolean().optional(),
});

/** What of the part of a session that was looked through matters to the part that follows. */
const soFar = z.object({
  /** The first thing that the user asked for; empty before that. */
  task: z.string(),
  /** Files that were changed. */
  files: z.array(z.string()),
  failures: z.array(openFailure),
  /** Comparable texts of what was found, by its kind. */
  found: z.record(z.string(), z.array(z.string())),
  /** The latest edits: the person may say what should be there instead. */
  written: z.array(writtenEdit).default([]),
  /** What was said last: the next thing that is said may answer it. */
  said: z.array(saidBefore).default([]),
});

/** How far a session was looked through. */
export const sessionReading = z.object({
  mark: z.object({ offset: z.number(), records: z.number() }),
  soFar,
});

export type OpenFailure = z.output<typeof openFailure>;
export type SaidBefore = z.output<typeof saidBefore>;
export type WrittenEdit = z.output<typeof writtenEdit>;
export type SoFar = z.output<typeof soFar>;
export type SessionReading = z.output<typeof sessionReading>;

export const NOTHING_SO_FAR: SoFar = {
  ...{ task: "", files: [], failures: [], found: {}, written: [] },
  said: [],
};
