/** One end of a terminal, a file or a pipe, as the asking process has it. */
export interface StreamState {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** The first line that a client writes: all that its own process would have gone by. */
export interface DaemonRequest {
  readonly ask: "run" | "read" | "status" | "stop";
  /** Id of the question. A write that is repeated under it happens once. */
  readonly id: string;
  /** See `programStamp`. */
  readonly program: string;
  /** Name of an empty file that the client has made in the daemon's folder; see `proof.ts`. */
  readonly proof: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly umask: number;
  readonly stdin: StreamState;
  readonly stdout: StreamState;
  readonly stderr: StreamState;
  /** Texts to embed, for `read`. */
  readonly read?: ModelRequest;
}

/** Texts for the model. */
export interface ModelRequest {
  readonly texts: readonly { readonly text: string; readonly before: string }[];
  readonly role: "query" | "passage";
}

/** What the model makes of a text; vectors are 32-bit floats in base64. */
export interface SentReading {
  readonly vector: string;
  readonly tokens: readonly { readonly text: string; readonly vector: string }[];
}

export type ClientMessage =
  /** All of standard input, in base64. */
  | { readonly kind: "stdin"; readonly bytes: string }
  /** The answer has arrived. */
  | { readonly kind: "received" };

/** 1: standard output, 2: standard error. */
export type OutputPart = readonly [1 | 2, string];

/** Lines of the daemon, one JSON object each. */
export type DaemonMessage =
  | { readonly kind: "taken" }
  /** Standard input is wanted. */
  | { readonly kind: "stdin" }
  /** The asking process does the work itself; `hasTried`: under the id of its question. */
  | { readonly kind: "declined"; readonly reason: string; readonly hasTried?: boolean }
  | {
      readonly kind: "answered";
      readonly code: number;
      readonly output: readonly OutputPart[];
      readonly page?: { readonly text: string; readonly pager: string };
    }
  | { readonly kind: "read"; readonly readings: readonly SentReading[] }
  | { readonly kind: "status"; readonly status: DaemonStatus };

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly started_at: string;
  readonly answered: number;
  readonly declined: number;
  readonly under_way: number;
  /** Bytes of memory. */
  readonly memory: number;
  readonly folder: string;
}

/** A question with its standard input is no longer than this, bytes. */
export const MAX_QUESTION = 16 * 1024 * 1024;
/** How often a daemon says that it is at work, milliseconds. */
export const BEAT_MS = 1_000;
