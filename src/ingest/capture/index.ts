export { describeMoment } from "./describe-moment.ts";
export {
  classifyStatement,
  findCandidates,
  findNewCandidates,
  maskCandidate,
  type Statement,
} from "./find-candidates.ts";
export {
  countShown,
  createMistake,
  findMistakes,
  findUpcomingMistakes,
  formatMistakes,
  recordAvoided,
  recordRepeated,
  type WarnedMistake,
} from "./find-mistakes.ts";
export {
  forgetOldSessions,
  type HookSession,
  hashShown,
  readSession,
  sessionFile,
  updateSession,
} from "./hook-session.ts";
export { processTurn, type QueuedTurn } from "./queued-turn.ts";
export { readCandidates } from "./read-candidates.ts";
export {
  describedRecords,
  newerNodeError,
  type ReadMark,
  readFromMark,
  readTranscript,
  START_MARK,
} from "./read-transcript.ts";
export { EMPTY_STATE, type WrittenEdit } from "./session-reading.ts";
export { storeCaptured } from "./store-captured.ts";
export type { Candidate, TranscriptEntry } from "./tool-calls.ts";
export {
  findCommand,
  findErrorLine,
  hasEffect,
  hasFailed,
  learnedLine,
  listEditedFiles,
  pairToolCalls,
  type StoredCandidates,
  storeCandidates,
  storedText,
  type ToolUse,
} from "./tool-calls.ts";
export { recordKey, type TranscriptRecord } from "./transcript-record.ts";
export { extractTypedText } from "./typed-text.ts";
