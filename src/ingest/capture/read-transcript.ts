import { isPlainObject, jsonIn } from "../../shared/json.ts";
import { readBareMessages } from "./formats/bare-messages.ts";
import { readBlocks } from "./formats/blocks.ts";
import { readEvents } from "./formats/events.ts";
import { readMessages } from "./formats/messages.ts";
import { readParts } from "./formats/parts.ts";
import { readResponses } from "./formats/responses.ts";
import type { RecordReader, TranscriptEntry } from "./transcript.ts";
import { describeRecord, type TranscriptRecord } from "./transcript-record.ts";

/** The first reader that recognises a record reads it. One line each. */
const READERS: readonly RecordReader[] = [
  readBlocks,
  readResponses,
  readEvents,
  readParts,
  readMessages,
  readBareMessages,
];

/**
 * The events of a session, from a transcript with one JSON record a line or from one JSON object with
 * `messages`. Unreadable lines are skipped, since the last one may be incomplete.
 */
export function readTranscript(text: string): TranscriptEntry[] {
  return recordsOf(text).flatMap((record) => [...entriesOf(record)]);
}

/** Like `readTranscript`, by record, with what each record says about itself. */
export function readTranscriptRecords(text: string): TranscriptRecord[] {
  return describedRecords(recordsOf(text));
}

/** Describes the records of a transcript that does not come from a file. */
export function describedRecords(records: readonly Record<string, unknown>[]): TranscriptRecord[] {
  return records.map((record) => ({ ...describeRecord(record), entries: entriesOf(record) }));
}

function entriesOf(record: Record<string, unknown>): readonly TranscriptEntry[] {
  for (const read of READERS) {
    const entries = read(record);
    if (entries.length > 0) return entries;
  }
  return [];
}

function recordsOf(text: string): Record<string, unknown>[] {
  const whole = jsonIn(text);
  if (isPlainObject(whole) && Array.isArray(whole.messages)) {
    const { messages, ...shared } = whole;
    return [shared, ...whole.messages.filter(isPlainObject)];
  }
  if (Array.isArray(whole)) return whole.filter(isPlainObject);
  return text
    .split("\n")
    .map((line) => jsonIn(line))
    .filter(isPlainObject);
}
