import { open, readFile } from "node:fs/promises";
import type { ModelMessage } from "../../llm/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { QueuedMessage, TranscriptHead, TranscriptLine } from "./transcript.ts";

export interface LoadedTranscript {
  readonly head: TranscriptHead;
  readonly messages: readonly ModelMessage[];
  /** Chosen with `/model`. */
  readonly model: string | undefined;
  /** As a person named it. */
  readonly title: string | undefined;
  /** Id of a run that never ended: the process did. */
  readonly openRun: string | undefined;
  /** What the user said to that run, where it ended before this became a message. */
  readonly unsaid: string | undefined;
  /** Messages that waited for it, in their order. */
  readonly queued: readonly QueuedMessage[];
  readonly updatedAt: string;
  /** Lines that could not be read. */
  readonly damagedLines: number;
}

/**
 * Reads a transcript. A last line that was cut off is removed from the file, so that the next one
 * starts afresh; of a torn line what was written after it is read, other unreadable lines are
 * skipped. Undefined when there is no head.
 */
export async function loadTranscript(path: string): Promise<LoadedTranscript | undefined> {
  const bytes = await readFile(path);
  const complete = bytes.lastIndexOf(0x0a) + 1;
  if (complete < bytes.length) await truncate(path, complete);
  const texts = bytes.subarray(0, complete).toString("utf8").split("\n").slice(0, -1);
  const lines = texts.map(readLine);

  let head: TranscriptHead | undefined;
  let messages: ModelMessage[] = [];
  let model: string | undefined;
  let title: string | undefined;
  let openRun: string | undefined;
  let unsaid: string | undefined;
  let updatedAt = "";
  const queued = new Map<string, string>();
  for (const line of lines) {
    if (line === undefined) continue;
    if (line.type === "thread") head ??= line;
    else updatedAt = line.at;
    if (line.type === "message") {
      messages.push(line.message);
      unsaid = undefined;
    } else if (line.type === "history") messages = [...line.messages];
    else if (line.type === "model") model = line.model;
    else if (line.type === "title") title = line.title === "" ? undefined : line.title;
    else if (line.type === "queued") queued.set(line.id, line.text);
    else if (line.type === "unqueued") for (const id of line.ids) queued.delete(id);
    else if (line.type === "run") {
      const hasBegun = line.state === "started";
      openRun = hasBegun ? line.runId : undefined;
      unsaid = hasBegun ? line.text : undefined;
      if (line.queuedId !== undefined) queued.delete(line.queuedId);
    }
  }
  if (head === undefined) return undefined;
  const damagedLines = lines.filter((line) => line === undefined).length;
  updatedAt ||= head.createdAt;
  const waiting = [...queued].map(([id, text]) => ({ id, text }));
  const chosen = { model, title };
  return { head, messages, ...chosen, openRun, unsaid, queued: waiting, updatedAt, damagedLines };
}

const LINE_TYPES = ["thread", "message", "history", "model", "title", "run", "queued", "unqueued"];

/** A line that a full disk cut off may have the next one glued to it. */
function readLine(text: string): TranscriptLine | undefined {
  for (let start = 0; start !== -1; start = text.indexOf('{"type":"', start + 1)) {
    const line = parseLine(text.slice(start));
    if (line !== undefined) return line;
  }
  return undefined;
}

function parseLine(text: string): TranscriptLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isTranscriptLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Parts of a message have a type, too, and would end with the line: they have no time. */
function isTranscriptLine(line: unknown): line is TranscriptLine {
  if (!isPlainObject(line) || !LINE_TYPES.includes(String(line.type))) return false;
  return line.type === "thread" || typeof line.at === "string";
}

async function truncate(path: string, length: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.truncate(length);
  } finally {
    await file.close();
  }
}
