import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import type { ModelMessage } from "../../llm/index.ts";

/** One line of a transcript. Lines are only ever added. */
export type TranscriptLine =
  | TranscriptHead
  | { readonly type: "message"; readonly at: string; readonly message: ModelMessage }
  /** The history from here on: empty after `/clear`, the summary after a handover. */
  | { readonly type: "history"; readonly at: string; readonly messages: readonly ModelMessage[] }
  | { readonly type: "model"; readonly at: string; readonly model: string }
  | {
      readonly type: "run";
      readonly at: string;
      readonly runId: string;
      readonly state: "started" | "completed" | "failed" | "aborted";
      /** With `started`: what the user said, which becomes a message once it is made ready. */
      readonly text?: string;
    };

export interface TranscriptHead {
  readonly type: "thread";
  readonly version: 1;
  readonly threadId: string;
  readonly createdAt: string;
  readonly systemPromptPrefix?: string;
}

/**
 * Appends lines to a file. A line is with the system when `append` returns, so it survives the end
 * of this process however that comes, and on the disk once `release` resolves or shortly after.
 */
export class Transcript {
  private readonly path: string;
  private file: number | undefined;
  private syncing: Promise<void> | undefined;
  private dirty = false;

  constructor(path: string) {
    this.path = path;
  }

  append(line: TranscriptLine): void {
    this.file ??= openSync(this.path, "a", 0o600);
    writeAll(this.file, Buffer.from(`${JSON.stringify(line)}\n`));
    this.dirty = true;
    this.syncing ??= this.sync();
  }

  /** Puts everything on the disk and closes the file until the next line. */
  async release(): Promise<void> {
    while (this.syncing !== undefined) await this.syncing;
    if (this.file === undefined) return;
    closeSync(this.file);
    this.file = undefined;
  }

  private async sync(): Promise<void> {
    while (this.dirty && this.file !== undefined) {
      this.dirty = false;
      const file = this.file;
      // A disk that cannot sync (EIO, a FUSE mount) still has the line as far as this process can.
      await new Promise<void>((resolve) => fdatasync(file, () => resolve()));
    }
    this.syncing = undefined;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}
