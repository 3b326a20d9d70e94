import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { ModelMessage } from "../../llm/index.ts";
import { CairnError } from "../../shared/errors.ts";

/** One line of a transcript. Lines are only ever added. */
export type TranscriptLine =
  | TranscriptHead
  | { readonly type: "message"; readonly at: string; readonly message: ModelMessage }
  /** The history from here on: empty after `/clear`, the summary after a handover. */
  | { readonly type: "history"; readonly at: string; readonly messages: readonly ModelMessage[] }
  | { readonly type: "model"; readonly at: string; readonly model: string }
  /** A person has named the session; empty: that name went with what was said before. */
  | { readonly type: "title"; readonly at: string; readonly title: string }
  | {
      readonly type: "run";
      readonly at: string;
      readonly runId: string;
      readonly state: "started" | "completed" | "failed" | "aborted";
      /** With `started`: what the user said, which becomes a message once it is made ready. */
      readonly text?: string;
      /** With `started`: the message had waited under this id. */
      readonly queuedId?: string;
    }
  /** A message waits for the run. */
  | { readonly type: "queued"; readonly at: string; readonly id: string; readonly text: string }
  /** Messages that wait no more: they are part of the conversation, or were dropped. */
  | { readonly type: "unqueued"; readonly at: string; readonly ids: readonly string[] };

/** A message that waits for the run. */
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

/** Of a transcript; it is read as a whole. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Appends lines to a file. A line is with the system when `append` returns, so it survives the end
 * of this process however that comes, and on the disk once `release` resolves or shortly after.
 */
export class Transcript {
  /** Of the file, while it is open; bytes. */
  #size = 0;
  /** The end of the file is half a line that could not be removed. */
  #isTorn = false;
  readonly #path: string;
  #file: number | undefined;
  #syncing: Promise<void> | undefined;
  #dirty = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws too_large for a session that nobody could read any more, and what the disk says. */
  append(line: TranscriptLine): void {
    const file = this.#open();
    const bytes = Buffer.from(`${this.#isTorn ? "\n" : ""}${JSON.stringify(line)}\n`);
    if (this.#size + bytes.length > MAX_BYTES) throw full();
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

  /** Puts everything on the disk and closes the file until the next line. */
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

  /** The disk was full in the middle of a line: the next one must not be glued to it. */
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
      // A disk that cannot sync (EIO, a FUSE mount) still has the line as far as this process can.
      await new Promise<void>((resolve) => fdatasync(file, () => resolve()));
    }
    this.#syncing = undefined;
  }
}

function full(): CairnError {
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
