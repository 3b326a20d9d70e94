import type { FileHandle } from "node:fs/promises";
import { isPlainObject, jsonIn } from "../../shared/json.ts";
import { openRegularFile } from "../../shared/regular-file.ts";
import { isSubagentHeader, readTranscriptRecords } from "./read-transcript.ts";
import type { TranscriptRecord } from "./transcript-record.ts";

/** If a transcript has grown by more bytes than this, only its end is read. */
const MAX_AT_ONCE = 64 * 1024 * 1024;

export interface Mark {
  /** Position in bytes, at the end of a line. */
  readonly offset: number;
  /** Number of records before that position. */
  readonly records: number;
}

export const BEGINNING: Mark = { offset: 0, records: 0 };

export interface ReadRecords {
  readonly records: readonly TranscriptRecord[];
  readonly from: Mark;
  readonly next: Mark;
  /** Lines of which something was lost. */
  readonly damaged: number;
}

const HEADER_BYTES = 64 * 1024;

/**
 * The records of a transcript after the mark. A transcript with one record a line is read from the mark, so
 * the time does not depend on the session's length; a single JSON document is read completely each time.
 * Throws invalid_input if the path is no regular file.
 */
export async function readFromMark(path: string, mark: Mark): Promise<ReadRecords> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    // A file that became shorter was rewritten.
    const start = mark.offset <= size ? mark : BEGINNING;
    const begin = Math.max(start.offset, size - MAX_AT_ONCE);
    const text = await textAt(file, begin, size - begin);
    if (begin === 0 && isDocument(text)) {
      return { ...readTranscriptRecords(text), from: BEGINNING, next: BEGINNING };
    }
    const isSubagent = isSubagentHeader(headerOf(await textAt(file, 0, HEADER_BYTES)));
    const complete = completeLines(text);
    // If something was left out, the first line is incomplete.
    const lines = begin > start.offset ? complete.slice(complete.indexOf("\n") + 1) : complete;
    const { records, damaged } = readTranscriptRecords(lines, isSubagent);
    const next = {
      offset: begin + Buffer.byteLength(complete),
      records: start.records + records.length,
    };
    return { records, from: start, next, damaged };
  } finally {
    await file.close();
  }
}

async function textAt(file: FileHandle, begin: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, begin);
  return bytes.subarray(0, bytesRead).toString("utf8");
}

function headerOf(text: string): Record<string, unknown> {
  const first = jsonIn(text.slice(0, Math.max(0, text.indexOf("\n"))));
  return isPlainObject(first) ? first : {};
}

/** The text without a last line that is still being written. */
function completeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  try {
    JSON.parse(text.slice(end));
    return text;
  } catch {
    return text.slice(0, end);
  }
}

/** True if the text is one JSON document rather than one JSON value a line. */
function isDocument(text: string): boolean {
  const [first = ""] = text.trimStart().split("\n", 1);
  if (first.trim() === "") return false;
  try {
    JSON.parse(first);
    // A document on one line contains the whole session.
    return /^\s*(?:\[|\{[\s\S]*"messages"\s*:\s*\[)/.test(text) && text.trim().indexOf("\n") < 0;
  } catch {
    return true;
  }
}
