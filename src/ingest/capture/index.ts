export {
  classifyStatement,
  findCandidates,
  lookThrough,
  masked,
  type Statement,
} from "./find-candidates.ts";
export {
  countShown,
  findMistakes,
  heldText,
  mistake,
  mistakesAhead,
  noteAvoided,
  noteRepeated,
  type ShownMistake,
} from "./find-mistakes.ts";
export {
  forgetOldSessions,
  type HookSession,
  readSession,
  sessionFile,
  shownHashes,
  updateSession,
} from "./hook-session.ts";
export { keepCaptured } from "./keep-captured.ts";
export { momentOfCall } from "./moment-of-call.ts";
export { lookThroughTurn, type QueuedTurn } from "./queued-turn.ts";
export { readCandidates } from "./read-candidates.ts";
export {
  BEGINNING,
  describedRecords,
  type Mark,
  readFromMark,
  readTranscript,
} from "./read-transcript.ts";
export { typedText } from "./said-text.ts";
export { NOTHING_SO_FAR, type WrittenEdit } from "./session-reading.ts";
export type { Candidate, TranscriptEntry } from "./tool-calls.ts";
export {
  commandOf,
  editedFiles,
  errorLine,
  hasEffect,
  hasFailed,
  keepCandidates,
  learnedLine,
  type StoredCandidates,
  storedText,
  type ToolUse,
  toolUses,
} from "./tool-calls.ts";
export { recordKey, type TranscriptRecord } from "./transcript-record.ts";
