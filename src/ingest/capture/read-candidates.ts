import type { Acceptance } from "../learning/index.ts";
import { findNewCandidates } from "./find-candidates.ts";
import { readFromMark, START_MARK } from "./read-transcript.ts";
import { EMPTY_STATE, type SessionReading } from "./session-reading.ts";
import type { Candidate } from "./tool-calls.ts";
import { recordKey, type TranscriptRecord } from "./transcript-record.ts";

export interface TranscriptLocation {
  readonly cwd: string;
  readonly transcriptPath: string;
  readonly accept?: Acceptance | undefined;
  /** Key of the first record that no other session has; forks begin with copied records. */
  readonly firstNew?: string | undefined;
}

export interface ReadCandidates {
  readonly candidates: readonly Candidate[];
  readonly reading: SessionReading;
}

/** Reads new candidates from the transcript, without using the memory. */
export async function readCandidates(
  { transcriptPath, firstNew, ...context }: TranscriptLocation,
  before: SessionReading | undefined,
): Promise<ReadCandidates> {
  const { records, from, next } = await readFromMark(transcriptPath, before?.mark ?? START_MARK);
  // A transcript read from its beginning is treated as new.
  const state = from.offset === 0 ? EMPTY_STATE : (before?.soFar ?? EMPTY_STATE);
  const own = before === undefined ? removeCopies(records, firstNew) : records;
  const entries = own.flatMap(({ entries, at }) => entries.map((entry) => ({ ...entry, at })));
  const result = await findNewCandidates(entries, { context, soFar: state });
  return { candidates: result.candidates, reading: { mark: next, soFar: result.soFar } };
}

function removeCopies(
  records: readonly TranscriptRecord[],
  firstNew: string | undefined,
): readonly TranscriptRecord[] {
  if (firstNew === undefined) return records;
  if (firstNew === "") return [];
  const start = records.findIndex((record, index) => recordKey(record, index) === firstNew);
  return records.slice(Math.max(0, start));
}
