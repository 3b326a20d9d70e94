import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import { isPlainObject, tryParseJson } from "../../shared/json.ts";
import { openRegularFile } from "../../shared/regular-file.ts";
import { toWellFormedJson } from "../../shared/text.ts";
import type { TranscriptEntry } from "./tool-calls.ts";
import { parseEntries } from "./transcript-formats.ts";
import { describeRecord, type TranscriptRecord } from "./transcript-record.ts";

type Fields = Record<string, unknown>;

export interface ReadTranscript {
  readonly records: readonly TranscriptRecord[];
  /** Number of lines that are not records or were only partly recovered. */
  readonly damaged: number;
}

/** Reads the events of a session from JSON Lines or a single JSON document. */
export function readTranscript(text: string): TranscriptEntry[] {
  return readTranscriptRecords(text).records.flatMap((record) => [...record.entries]);
}

/** Like `readTranscript`, grouped by record and with record metadata. */
export function readTranscriptRecords(text: string, isSubagent?: boolean): ReadTranscript {
  const { records, damaged } = parseRecords(text);
  return { records: describedRecords(records, isSubagent), damaged };
}

/** Describes the records of a session, without rewound turns and without subagent sessions. */
export function describedRecords(
  records: readonly Fields[],
  isSubagent = records.some(isSubagentHeader),
): TranscriptRecord[] {
  const wellFormed = records.map((record) => toWellFormedJson(record));
  const described = wellFormed.map((record) => ({
    ...describeRecord(record),
    entries: isSubagent ? [] : parseEntries(record),
  }));
  // A resumed session repeats records with their ids; Gemini CLI rewrites a message as it grows.
  const newest = new Map(described.map(({ id, entries }) => [id, entries]));
  const seen = new Set<string>();
  const once = described.map((record) => {
    const { id } = record;
    if (id === undefined) return record;
    const isRepeated = seen.has(id);
    seen.add(id);
    return { ...record, entries: isRepeated ? [] : (newest.get(id) ?? record.entries) };
  });
  const reverted = findRevertedIndexes(wellFormed, once);
  return once.map((record, index) => (reverted.has(index) ? { ...record, entries: [] } : record));
}

/** Session header of a Codex or Gemini CLI subagent. */
export function isSubagentHeader({ type, payload, kind, sessionId }: Fields): boolean {
  if (kind === "subagent" && typeof sessionId === "string") return true;
  if (type !== "session_meta" || !isPlainObject(payload)) return false;
  return isPlainObject(payload.source) && payload.source.subagent !== undefined;
}

/** Returns the record from which Gemini CLI or Copilot CLI rewound the session. */
function findRewindTarget({ $rewindTo: target, type, data }: Fields): string | undefined {
  const isRewind = type === "session.snapshot_rewind" && isPlainObject(data);
  const id = isRewind ? data.upToEventId : target;
  return typeof id === "string" ? id : undefined;
}

/** Key of prompts that begin a session; several exist only after a rewind. */
const ROOT_ID = "";

function findParent({ uuid, parentUuid: parent, logicalParentUuid }: Fields): string | undefined {
  if (typeof parent === "string") return parent;
  const isRoot = parent === null && typeof uuid === "string" && logicalParentUuid === undefined;
  return isRoot ? ROOT_ID : undefined;
}

/** Returns the indexes of records in rewound or rolled-back turns. */
function findRevertedIndexes(
  records: readonly Fields[],
  described: readonly TranscriptRecord[],
): ReadonlySet<number> {
  const reverted = new Set<number>();
  const isPrompt = (index: number) =>
    described[index]?.entries.some(
      ({ kind, ...entry }) => kind === "said" && "by" in entry && entry.by === "user",
    ) === true;
  const childOf = new Map<string, number[]>();
  for (const [index, record] of records.entries()) {
    const { payload } = record;
    const parent = findParent(record);
    if (parent !== undefined) childOf.set(parent, [...(childOf.get(parent) ?? []), index]);
    const target = findRewindTarget(record);
    if (target !== undefined) {
      // A target that is unknown or was read earlier precedes all of these records.
      const from = records.findIndex(({ id }) => id === target);
      for (let n = Math.max(0, from); n < index; n += 1) reverted.add(n);
    }
    const turns =
      isPlainObject(payload) && payload.type === "thread_rolled_back" ? payload.num_turns : 0;
    for (let n = index - 1, remaining = Number(turns); n >= 0 && remaining > 0; n -= 1) {
      if (isPrompt(n) && !reverted.has(n)) remaining -= 1;
      reverted.add(n);
    }
  }
  for (const children of childOf.values()) {
    const prompts = children.filter(isPrompt);
    for (const index of prompts.slice(0, -1))
      addBranch(index, { records, childOf, gone: reverted });
  }
  return reverted;
}

function addBranch(
  index: number,
  tree: {
    readonly records: readonly Fields[];
    readonly childOf: ReadonlyMap<string, readonly number[]>;
    readonly gone: Set<number>;
  },
): void {
  const open = [index];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (tree.gone.has(next)) continue;
    tree.gone.add(next);
    const id = tree.records[next]?.uuid;
    if (typeof id === "string") open.push(...(tree.childOf.get(id) ?? []));
  }
}

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

function parseRecords(text: string): { readonly records: Fields[]; readonly damaged: number } {
  const clean = text.replace(/^\uFEFF+/, "");
  const document = /^\s*[[{]/.test(clean) ? tryParseJson(clean) : undefined;
  if (isPlainObject(document) && Array.isArray(document.messages)) {
    const { messages, ...shared } = document;
    return { records: [shared, ...messages.filter(isPlainObject)], damaged: 0 };
  }
  if (Array.isArray(document)) return { records: document.filter(isPlainObject), damaged: 0 };
  const records: Fields[] = [];
  let damaged = 0;
  for (const raw of clean.split(/\r\n?|\n/)) {
    const line = raw.replaceAll("\0", "").trim();
    if (line === "" && raw.trim() === "") continue;
    const found = line.length > MAX_LINE_CHARACTERS ? undefined : parseLine(line);
    if (found === undefined || found.isDamaged) damaged += 1;
    records.push(...(found?.records ?? []));
  }
  return { records, damaged };
}

const MAX_STARTS = 50;

/** Parses a line; recovers complete records from a damaged one. */
function parseLine(line: string): { readonly records: Fields[]; readonly isDamaged: boolean } {
  const value = tryParseJson(line);
  if (isPlainObject(value)) return { records: [value], isDamaged: false };
  if (value !== undefined) return { records: [], isDamaged: true };
  const joined = line.split(/(?<=\})(?=\{")/);
  const parts = joined.map((part) => tryParseJson(part));
  if (joined.length > 1 && parts.every(isPlainObject)) return { records: parts, isDamaged: false };
  // A truncated record may be followed by a complete one.
  let start = line.indexOf('{"', 1);
  for (let n = 0; start > 0 && n < MAX_STARTS; n += 1) {
    const rescued = tryParseJson(line.slice(start));
    if (isPlainObject(rescued) && typeof rescued.type === "string") {
      return { records: [rescued], isDamaged: true };
    }
    start = line.indexOf('{"', start + 1);
  }
  return { records: [], isDamaged: true };
}

/** Larger additions are read only at their end. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export interface ReadMark {
  readonly offset: number;
  readonly records: number;
}

export const START_MARK: ReadMark = { offset: 0, records: 0 };

interface ReadRecords {
  readonly records: readonly TranscriptRecord[];
  readonly from: ReadMark;
  readonly next: ReadMark;
  /** Number of damaged lines. */
  readonly damaged: number;
}

const HEADER_BYTES = 64 * 1024;

/** Codex compresses older sessions. */
const COMPRESSED_EXTENSION = ".zst";
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

type Unpack = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, unpacked: Buffer) => void,
) => void;

/** Undefined before Node.js 22.15. */
const unpack = (zlib as { readonly zstdDecompress?: Unpack }).zstdDecompress;

/** True if only a newer Node.js can read the file. */
export function newerNodeError(path: string): boolean {
  return path.endsWith(COMPRESSED_EXTENSION) && unpack === undefined;
}

interface TranscriptBytes {
  readonly size: number;
  textAt(begin: number, length: number): Promise<string>;
}

async function openBytes(file: FileHandle, path: string): Promise<TranscriptBytes> {
  if (!path.endsWith(COMPRESSED_EXTENSION)) {
    const { size } = await file.stat();
    return { size, textAt: (begin, length) => readText(file, begin, length) };
  }
  if (unpack === undefined) throw invalidInput(`file: ${path} needs Node.js 22.15 or newer`);
  const unpacked = await promisify(unpack)(await file.readFile(), {
    maxOutputLength: MAX_UNPACKED_BYTES,
  }).catch((error: unknown) => {
    throw invalidInput(`file: ${path} cannot be decompressed: ${messageOf(error)}`);
  });
  return {
    size: unpacked.length,
    textAt: async (begin, length) => unpacked.toString("utf8", begin, begin + length),
  };
}

export async function readFromMark(path: string, cursor: ReadMark): Promise<ReadRecords> {
  const file = await openRegularFile(path);
  try {
    const { size, textAt } = await openBytes(file, path);
    // A file that became shorter was rewritten.
    const start = cursor.offset <= size ? cursor : START_MARK;
    const begin = Math.max(start.offset, size - MAX_READ_BYTES);
    const text = await textAt(begin, size - begin);
    if (begin === 0 && isDocument(text)) {
      return { ...readTranscriptRecords(text), from: START_MARK, next: START_MARK };
    }
    const isSubagent = isSubagentHeader(parseHeader(await textAt(0, HEADER_BYTES)));
    const complete = completeLines(text);
    // After skipping ahead, the first line is incomplete.
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

async function readText(file: FileHandle, begin: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, begin);
  return bytes.subarray(0, bytesRead).toString("utf8");
}

function parseHeader(text: string): Record<string, unknown> {
  const first = tryParseJson(text.slice(0, Math.max(0, text.indexOf("\n"))));
  return isPlainObject(first) ? first : {};
}

/** Drops a last line that is still being written. */
function completeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  try {
    JSON.parse(text.slice(end));
    return text;
  } catch {
    return text.slice(0, end);
  }
}

function isDocument(text: string): boolean {
  const [first = ""] = text.trimStart().split("\n", 1);
  if (first.trim() === "") return false;
  try {
    JSON.parse(first);
    // A one-line document contains the whole session.
    return /^\s*(?:\[|\{[\s\S]*"messages"\s*:\s*\[)/.test(text) && text.trim().indexOf("\n") < 0;
  } catch {
    return true;
  }
}
