export { askToKeep } from "./ask-to-keep.ts";
export type { Candidate, TranscriptEntry } from "./candidate.ts";
export { classifyStatement, type Statement } from "./classify-statement.ts";
export { findCandidates, lookThrough, masked } from "./find-candidates.ts";
export { findMistakes, mistake } from "./find-mistakes.ts";
export {
  forgetOldSessions,
  type HookSession,
  readSession,
  sessionFile,
  shownHashes,
  updateSession,
} from "./hook-session.ts";
export {
  hasEffect,
  keepCandidates,
  learnedLine,
  type StoredCandidates,
  storedText,
} from "./keep-candidates.ts";
export { keepCaptured } from "./keep-captured.ts";
export {
  countShown,
  heldText,
  mistakesAhead,
  noteAvoided,
  noteRepeated,
  type ShownMistake,
} from "./known-mistakes.ts";
export { momentOfCall } from "./moment-of-call.ts";
export { lookThroughTurn, type QueuedTurn } from "./queued-turn.ts";
export { readCandidates } from "./read-candidates.ts";
export { BEGINNING, type Mark, readFromMark } from "./read-from-mark.ts";
export { describedRecords, readTranscript } from "./read-transcript.ts";
export { typedText } from "./said-text.ts";
export { NOTHING_SO_FAR, type WrittenEdit } from "./session-reading.ts";
export {
  commandOf,
  editedFiles,
  errorLine,
  hasFailed,
  type ToolUse,
  toolUses,
} from "./tool-calls.ts";
export type { TranscriptRecord } from "./transcript-record.ts";
