export type { Candidate } from "./candidate.ts";
export { classifyStatement, type Statement } from "./classify-statement.ts";
export { comparableText, findCandidates } from "./find-candidates.ts";
export { readTranscript } from "./read-transcript.ts";
export type { TranscriptEntry } from "./transcript.ts";
