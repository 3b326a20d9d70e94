import { open } from "node:fs/promises";
import { readTranscriptRecords } from "./read-transcript.ts";
import type { TranscriptRecord } from "./transcript-record.ts";

/** Of a transcript that grew by more, only the end is read; bytes. */
const MOST_AT_ONCE = 64 * 1024 * 1024;

/** How far a transcript was read. */
export interface Mark {
  /** Bytes, up to the end of a line. */
  readonly offset: number;
  /** Records before that. */
  readonly records: number;
}

export const BEGINNING: Mark = { offset: 0, records: 0 };

export interface ReadRecords {
  readonly records: readonly TranscriptRecord[];
  /** Where reading began: the beginning, where the file is another one or a single document. */
  readonly from: Mark;
  readonly next: Mark;
}

/**
 * The records that a transcript has behind the mark. A transcript of lines is read on from there, so
 * that it takes the same time however long the session is; one that is a single JSON document is
 * read as a whole each time.
 */
export async function readFromMark(path: string, mark: Mark): Promise<ReadRecords> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    // A file that shrank was written anew.
    const start = mark.offset <= size ? mark : BEGINNING;
    const begin = Math.max(start.offset, size - MOST_AT_ONCE);
    const bytes = Buffer.alloc(size - begin);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
    const text = bytes.subarray(0, bytesRead).toString("utf8");
    if (begin === 0 && isDocument(text)) {
      return { records: readTranscriptRecords(text), from: BEGINNING, next: BEGINNING };
    }
    const complete = completeLines(text);
    // Where something was left out, the first line is the rest of one.
    const lines = begin > start.offset ? complete.slice(complete.indexOf("\n") + 1) : complete;
    const records = readTranscriptRecords(lines);
    const next = {
      offset: begin + Buffer.byteLength(complete),
      records: start.records + records.length,
    };
    return { records, from: start, next };
  } finally {
    await file.close();
  }
}

/** Without a last line that is still being written. */
function completeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  try {
    JSON.parse(text.slice(end));
    return text;
  } catch {
    return text.slice(0, end);
  }
}

/** One JSON document, over lines or not, and no JSON a line. */
function isDocument(text: string): boolean {
  const [first = ""] = text.trimStart().split("\n", 1);
  if (first.trim() === "") return false;
  try {
    JSON.parse(first);
    // A document on one line has the whole session in it.
    return /^\s*(?:\[|\{[\s\S]*"messages"\s*:\s*\[)/.test(text) && text.trim().indexOf("\n") < 0;
  } catch {
    return true;
  }
}
