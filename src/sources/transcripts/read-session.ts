import { open, stat } from "node:fs/promises";
import { readTranscriptRecords } from "../../capture/index.ts";
import { shorten } from "../../kernel/shorten.ts";
import type { ReadPassage, SourceBatch } from "../source-batch.ts";
import { passagesOfRecords } from "./passages-of-records.ts";

/** Of a transcript that grew by more, only the end is read; bytes. */
const MOST_AT_ONCE = 64 * 1024 * 1024;
const TITLE_CHARACTERS = 80;

export interface SessionFile {
  readonly client: string;
  /** What the client calls the session; undefined: what the transcript says. */
  readonly session?: string | undefined;
  /** Absolute path. */
  readonly path: string;
  /** Absolute folder in which the session works. */
  readonly cwd: string;
  /** ISO time. */
  readonly now: string;
}

/** How far a transcript was read. */
interface Mark {
  /** Bytes, up to the end of a line. */
  readonly offset: number;
  /** Records before that. */
  readonly records: number;
}

const BEGINNING: Mark = { offset: 0, records: 0 };

/**
 * What a session's transcript has behind the mark. A transcript of lines is read on from there, so
 * that it takes the same time however long the session is; one that is a single JSON document is
 * read as a whole, and what is known of it is passed over by its keys.
 */
export async function readSession(
  file: SessionFile,
  mark: string | undefined,
): Promise<SourceBatch | undefined> {
  const from = parseMark(mark);
  const { size } = await stat(file.path);
  // A file that shrank was written anew.
  const start = from.offset <= size ? from : BEGINNING;
  const begin = Math.max(start.offset, size - MOST_AT_ONCE);
  const text = await readRange(file.path, begin, size);
  const isWhole = isDocument(begin === 0 ? text : "");
  const complete = isWhole ? text : completeLines(text);
  const lines = begin > start.offset ? complete.slice(complete.indexOf("\n") + 1) : complete;
  const records = readTranscriptRecords(lines);
  const before = isWhole ? 0 : start.records;
  const passages = passagesOfRecords(records, { cwd: file.cwd, now: file.now, before });
  const session = file.session ?? records.map(({ session: named }) => named).find(isNamed);
  if (session === undefined) return undefined;
  const cwd = records.map((record) => record.cwd).find(isNamed) ?? file.cwd;
  const next: Mark = isWhole
    ? BEGINNING
    : { offset: begin + Buffer.byteLength(complete), records: before + records.length };
  return {
    kind: file.client,
    key: session,
    place: cwd,
    ...(before === 0 && { title: titleOf(passages, session) }),
    mark: `${next.offset}:${next.records}`,
    passages,
  };
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

function parseMark(mark: string | undefined): Mark {
  const [, offset, records] = /^(\d+):(\d+)$/.exec(mark ?? "") ?? [];
  return offset === undefined || records === undefined
    ? BEGINNING
    : { offset: Number(offset), records: Number(records) };
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== "";
}

async function readRange(path: string, begin: number, end: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, end - begin));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
    return bytes.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
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

/** The first thing that a person asked for. */
function titleOf(passages: readonly ReadPassage[], session: string): string {
  const first = passages.find(({ by, role }) => by === "user" && role === "turn");
  return shorten(first?.text.replaceAll(/\s+/g, " ") ?? session, TITLE_CHARACTERS);
}
