import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import type { TranscriptEntry } from "../../ingest/capture/index.ts";
import type { ModelMessage } from "../../llm/index.ts";
import { CairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { shortenLine, truncateText } from "../../shared/text.ts";
import { joinText, outputText, type ToolOutcome, typedText } from "../loop/history.ts";
import type { HistoryEntry } from "../ports/thread-host.ts";

const MAX_FAILURE_LENGTH = 400;
const MAX_ARGUMENT_LENGTH = 1_000;

export function historyEntries(
  messages: readonly ModelMessage[],
  limit: number,
): readonly HistoryEntry[] {
  if (limit <= 0) return [];
  const outcomes = new Map(messages.flatMap(collectOutcomes));
  return messages.flatMap((message) => createEntries(message, outcomes)).slice(-limit);
}

function createEntries(
  message: ModelMessage,
  outcomes: ReadonlyMap<string, ToolOutcome>,
): HistoryEntry[] {
  if (message.role === "user") return [{ role: "user", text: typedText(message) }];
  if (message.role !== "assistant") return [];
  const text = joinText(message);
  const messages: HistoryEntry[] = text.trim() === "" ? [] : [{ role: "assistant", text }];
  if (typeof message.content === "string") return messages;
  const tools = message.content.flatMap((part): HistoryEntry[] => {
    if (part.type !== "tool-call") return [];
    const failure = describeFailure(outcomes.get(part.toolCallId));
    const call = { role: "tool" as const, text: part.toolName, args: shortArgs(part.input) };
    return [failure === undefined ? call : { ...call, failure }];
  });
  return [...messages, ...tools];
}

function collectOutcomes(message: ModelMessage): readonly (readonly [string, ToolOutcome])[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" ? [[part.toolCallId, part] as const] : [],
  );
}

function describeFailure(outcome: ToolOutcome | undefined): string | undefined {
  if (outcome === undefined) return "It was cut off.";
  if (outcome.output.type !== "error-text") return undefined;
  return shortenLine(outputText(outcome), MAX_FAILURE_LENGTH);
}

function shortArgs(args: unknown): unknown {
  if (!isPlainObject(args)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([field, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      return [
        field,
        text.length <= MAX_ARGUMENT_LENGTH ? value : truncateText(text, MAX_ARGUMENT_LENGTH),
      ];
    }),
  );
}

interface LoadedTranscript {
  readonly head: TranscriptHead;
  readonly messages: readonly ModelMessage[];
  readonly model: string | undefined;
  readonly title: string | undefined;
  /** Id of a run that a crash interrupted. */
  readonly openRun: string | undefined;
  readonly unsaid: string | undefined;
  readonly queued: readonly QueuedMessage[];
  readonly updatedAt: string;
  readonly damagedLines: number;
}

/**
 * Reads a transcript and removes a truncated last line from the file. Text after a torn line is
 * read; other invalid lines are skipped. Undefined without a head.
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
      const hasStarted = line.state === "started";
      openRun = hasStarted ? line.runId : undefined;
      unsaid = hasStarted ? line.text : undefined;
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

/** A line that a full disk cut off may be followed by the next one. */
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

/** Parts of a message have a type too, but no time. */
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

/** Append-only. */
export type TranscriptLine =
  | TranscriptHead
  | { readonly type: "message"; readonly at: string; readonly message: ModelMessage }
  /** Replaces the history: empty after `/clear`, the summary after a handover. */
  | { readonly type: "history"; readonly at: string; readonly messages: readonly ModelMessage[] }
  | { readonly type: "model"; readonly at: string; readonly model: string }
  | { readonly type: "title"; readonly at: string; readonly title: string }
  | {
      readonly type: "run";
      readonly at: string;
      readonly runId: string;
      readonly state: "started" | "completed" | "failed" | "aborted";
      /** With `started`: the user's text, which becomes a message once it is prepared. */
      readonly text?: string;
      /** With `started`: the id under which the message was queued. */
      readonly queuedId?: string;
    }
  | { readonly type: "queued"; readonly at: string; readonly id: string; readonly text: string }
  /** Messages that are part of the conversation, or were dropped. */
  | { readonly type: "unqueued"; readonly at: string; readonly ids: readonly string[] };

export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

export interface TranscriptHead {
  readonly type: "thread";
  readonly version: 1;
  readonly threadId: string;
  readonly createdAt: string;
  readonly systemPromptPrefix?: string;
}

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Appends lines to a file. A line survives the end of this process once `append` returns; it is
 * synced when `release` resolves or shortly after.
 */
export class Transcript {
  #size = 0;
  #isTorn = false;
  readonly #path: string;
  #file: number | undefined;
  #syncing: Promise<void> | undefined;
  #dirty = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws too_large for an oversized session, and errors of the disk. */
  append(line: TranscriptLine): void {
    const file = this.#open();
    const bytes = Buffer.from(`${this.#isTorn ? "\n" : ""}${JSON.stringify(line)}\n`);
    if (this.#size + bytes.length > MAX_BYTES) throw transcriptFullError();
    try {
      writeAll(file, bytes);
    } catch (error) {
      this.#removeHalfLine(file);
      throw error;
    }
    this.#isTorn = false;
    this.#size += bytes.length;
    this.#dirty = true;
    this.#syncing ??= this.#sync();
  }

  async release(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    if (this.#file !== undefined) return this.#file;
    this.#file = openSync(this.#path, "a", 0o600);
    this.#size = fstatSync(this.#file).size;
    return this.#file;
  }

  /** Removes a partial line after a full disk, so that the next one starts afresh. */
  #removeHalfLine(file: number): void {
    try {
      ftruncateSync(file, this.#size);
      this.#isTorn = false;
    } catch {
      this.#isTorn = true;
    }
  }

  async #sync(): Promise<void> {
    while (this.#dirty && this.#file !== undefined) {
      this.#dirty = false;
      const file = this.#file;
      // A disk that cannot sync (EIO, a FUSE mount) still has the line.
      await new Promise<void>((resolve) => fdatasync(file, () => resolve()));
    }
    this.#syncing = undefined;
  }
}

function transcriptFullError(): CairnError {
  return new CairnError(
    "too_large",
    `The record of this session has reached ${MAX_BYTES / 1024 / 1024} MB. Start a new session.`,
  );
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

export function createMessageEntries(message: ModelMessage): TranscriptEntry[] {
  if (message.role === "user") return [{ kind: "said", by: "user", text: typedText(message) }];
  if (message.role === "assistant") {
    if (typeof message.content === "string") {
      return [{ kind: "said", by: "assistant", text: message.content }];
    }
    return message.content.flatMap((part): TranscriptEntry[] => {
      if (part.type === "text") return [{ kind: "said", by: "assistant", text: part.text }];
      if (part.type !== "tool-call") return [];
      const input = isPlainObject(part.input) ? part.input : {};
      return [{ kind: "call", id: part.toolCallId, tool: part.toolName, input }];
    });
  }
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): TranscriptEntry[] => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    const text = output.type === "text" || output.type === "error-text" ? output.value : "";
    return [{ kind: "result", id: part.toolCallId, text, failed: output.type === "error-text" }];
  });
}
