export { readHistory, sourceOfHistory } from "./git/read-history.ts";
export { type QueuedTranscript, readQueuedTranscript } from "./queued-transcript.ts";
export type { ReadPassage, SourceBatch, SourceName } from "./source-batch.ts";
export { markOf, takeIn } from "./take-in.ts";
export { passagesOfRecords } from "./transcripts/passages-of-records.ts";
export { readSession, type SessionFile } from "./transcripts/read-session.ts";
export { readSessions } from "./transcripts/read-sessions.ts";
export { SESSION_FOLDERS } from "./transcripts/session-places.ts";
