export { describeMoment } from "./describe-moment.ts";
export {
  classifyStatement,
  findCandidates,
  findNewCandidates,
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
  type WarnedMistake,
} from "./find-mistakes.ts";
export {
  forgetOldSessions,
  type HookSession,
  readSession,
  sessionFile,
  shownHashes,
  updateSession,
} from "./hook-session.ts";
export { processTurn, type QueuedTurn } from "./queued-turn.ts";
export { readCandidates } from "./read-candidates.ts";
export {
  BEGINNING,
  describedRecords,
  type Mark,
  needsNewerNode,
  readFromMark,
  readTranscript,
} from "./read-transcript.ts";
export { EMPTY_STATE, type WrittenEdit } from "./session-reading.ts";
export { storeCaptured } from "./store-captured.ts";
export type { Candidate, TranscriptEntry } from "./tool-calls.ts";
export {
  editedFiles,
  errorLine,
  findCommand as getCommand,
  hasEffect,
  hasFailed,
  learnedLine,
  type StoredCandidates,
  storeCandidates,
  storedText,
  type ToolUse,
  toolUses,
} from "./tool-calls.ts";
export { recordKey, type TranscriptRecord } from "./transcript-record.ts";
export { typedText } from "./typed-text.ts";
