import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";

const threadState = z.object({
  threadId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  messageCount: z.number().int().min(0),
  /** Of the last event. */
  seq: z.number().int().min(0),
  title: z.string().optional(),
  /** The session whose conversation this one goes on from. */
  parent: z.string().optional(),
  /** The conversation that another session left behind, until somebody goes on with it. */
  isKept: z.boolean().optional(),
  /** Where words of others in the conversation came from. */
  readOfOthers: z.array(z.string()).optional(),
  /** A run has begun and not ended. */
  runOpen: z.boolean(),
});

/** What a list of threads shows, kept beside the transcript so that a start reads no transcript. */
export type ThreadState = z.output<typeof threadState>;

/** Larger than any state, so that a newer one always covers an older one. */
const SIZE = 1024;

/** Written in place, in one write, with every event: it survives the end of the process. */
export class StateFile {
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  write(state: ThreadState): void {
    this.#file ??= openSync(this.#path, OPEN_FLAGS, 0o600);
    const text = `${JSON.stringify(state)}\n`;
    const padding = " ".repeat(Math.max(0, SIZE - Buffer.byteLength(text)));
    writeSync(this.#file, `${text.trimEnd()}${padding}\n`, 0);
  }

  release(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Opened without truncation: a crash between truncation and write would lose the state. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT;

export function readStateFile(path: string): ThreadState | undefined {
  try {
    return threadState.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
