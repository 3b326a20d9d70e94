export type { Candidate } from "./candidate.ts";
export { classifyStatement, type Statement } from "./classify-statement.ts";
export { comparableText, findCandidates } from "./find-candidates.ts";
export {
  forgetOldSessions,
  type HookSession,
  readSession,
  sessionFile,
  writeSession,
} from "./hook-session.ts";
export {
  type CapturedWork,
  type CaptureRequest,
  candidatesOf,
  keepCaptured,
} from "./keep-captured.ts";
export { readTranscript } from "./read-transcript.ts";
export type { TranscriptEntry } from "./transcript.ts";
