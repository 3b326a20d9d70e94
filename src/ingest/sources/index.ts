export { type KnownFile, readDecisions, SOURCE_KEY } from "./decisions/read-decisions.ts";
export { gitOutput } from "./git/git-process.ts";
export { historySource, readHistory, toGitTimestamp } from "./git/read-history.ts";
export { DayBudget } from "./learning/day-budget.ts";
export {
  type LearnedFromSources,
  learnFromSources,
} from "./learning/learn-from-sources.ts";
export { askProgram } from "./learning/run-program.ts";
export { pruneSources } from "./prune-sources.ts";
export { type QueuedProject, readChangedDecisions, readQueuedProject } from "./queued-project.ts";
export { type QueuedTranscript, readQueuedTranscript } from "./queued-transcript.ts";
export type { ReadPassage, SourceBatch, SourceName } from "./store-source.ts";
export { loadMark, storeSource } from "./store-source.ts";
export { readSessions, type SkippedSession } from "./transcripts/read-sessions.ts";
export { SESSION_FOLDERS, type SessionFolder } from "./transcripts/session-folders.ts";
export {
  createPassages,
  readSession,
  type SessionFile,
} from "./transcripts/split-passages.ts";
