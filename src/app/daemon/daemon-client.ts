import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { connectToDaemon, programStamp } from "./daemon-folder.ts";

export interface StreamState {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** First line of a client: everything that affects its command. */
export interface DaemonRequest {
  readonly ask: "run" | "read" | "status" | "stop";
  /** Idempotency key: repeating a write with the same id has no effect. */
  readonly id: string;
  readonly program: string;
  /**
   * Name of an empty file that the client created in the daemon's folder as proof of write access.
   */
  readonly proof: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly umask: number;
  readonly stdin: StreamState;
  readonly stdout: StreamState;
  readonly stderr: StreamState;
  readonly read?: ModelRequest;
}

interface ModelRequest {
  readonly texts: readonly { readonly text: string; readonly before: string }[];
  readonly role: "query" | "passage";
}

interface EncodedReading {
  readonly vector: string;
  readonly tokens: readonly { readonly text: string; readonly vector: string }[];
}

export type ClientMessage =
  | { readonly kind: "stdin"; readonly bytes: string }
  | { readonly kind: "received" };

export type OutputPart = readonly [1 | 2, string];

export type DaemonMessage =
  | { readonly kind: "taken" }
  | { readonly kind: "stdin" }
  /** The client must run the command itself; `hasTried`: under the same request id. */
  | { readonly kind: "declined"; readonly reason: string; readonly hasTried?: boolean }
  | {
      readonly kind: "answered";
      readonly code: number;
      readonly output: readonly OutputPart[];
      readonly page?: { readonly text: string; readonly pager: string };
    }
  | { readonly kind: "read"; readonly readings: readonly EncodedReading[] }
  | { readonly kind: "status"; readonly status: DaemonStatus };

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly started_at: string;
  readonly answered: number;
  readonly declined: number;
  readonly under_way: number;
  readonly memory: number;
  readonly folder: string;
}

/** Bytes, including standard input. */
export const MAX_QUESTION = 16 * 1024 * 1024;
const HEARTBEAT_MS = 1_000;

const SOCKET_NAME_PATTERN = /^ask-[a-z0-9-]{1,80}$/;

/**
 * Proves write access to the daemon's folder, since a sandboxed process may reach the socket
 * without it. Returns the file name.
 */
export function createProof(folder: string, id: string): string {
  const name = `ask-${id}`;
  closeSync(openSync(join(folder, name), "wx", 0o600));
  return name;
}

/** Removes the proof; returns whether it existed. */
export function consumeProof(folder: string, name: string): boolean {
  if (!SOCKET_NAME_PATTERN.test(name)) return false;
  try {
    unlinkSync(join(folder, name));
    return true;
  } catch {
    return false;
  }
}

/** Disconnects a client that does not read its response. */
const READ_TIMEOUT_MS = 30_000;

/** The client process, as the daemon sees it. */
export class DaemonClient {
  readonly request: DaemonRequest;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly received: Promise<boolean>;
  readonly #socket: Socket;
  readonly #removed = new AbortController();
  #beat: NodeJS.Timeout | undefined;
  #gotStdin: ((bytes: Buffer) => void) | undefined;
  #gotReceipt: (wasReceived: boolean) => void = () => undefined;

  constructor(socket: Socket, request: DaemonRequest) {
    this.#socket = socket;
    this.request = request;
    this.signal = this.#removed.signal;
    this.received = new Promise((resolve) => {
      this.#gotReceipt = resolve;
    });
    socket.once("close", () => {
      clearInterval(this.#beat);
      this.#gotReceipt(false);
      this.#removed.abort(new Error("the client disconnected"));
    });
  }

  beginToBeat(): void {
    const acknowledge = () => this.#send({ kind: "taken" });
    acknowledge();
    this.#beat = setInterval(acknowledge, HEARTBEAT_MS);
  }

  /** Requested from the client on first read. */
  get stdin(): Readable & { readonly isTTY?: boolean } {
    const stream = new Readable({
      read: () => {
        if (this.#gotStdin !== undefined) return;
        this.#gotStdin = (bytes) => {
          if (bytes.length > 0) stream.push(bytes);
          stream.push(null);
        };
        this.#send({ kind: "stdin" });
      },
    });
    this.signal.addEventListener("abort", () => stream.destroy(), { once: true });
    return Object.assign(stream, { isTTY: this.request.stdin.isTTY === true });
  }

  take(message: unknown): void {
    const clientMessage = message as ClientMessage;
    if (clientMessage.kind === "stdin")
      this.#gotStdin?.(Buffer.from(clientMessage.bytes, "base64"));
    if (clientMessage.kind === "received") this.#gotReceipt(true);
  }

  finish(message: DaemonMessage): void {
    clearInterval(this.#beat);
    this.#send(message);
    this.#socket.setTimeout(READ_TIMEOUT_MS, () => this.#socket.destroy());
    if (message.kind !== "answered") this.#socket.end();
  }

  #send(message: DaemonMessage): void {
    writeLine(this.#socket, message);
  }
}

interface LineReader {
  readonly onLine: (value: unknown) => void;
  /** Longer lines close the connection. */
  readonly maxCharacters: number;
}

/** Reads newline-delimited JSON. Invalid JSON closes the connection. */
export function readLines(socket: Socket, { onLine, maxCharacters }: LineReader): void {
  let pending: Buffer[] = [];
  let length = 0;
  socket.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pending, chunk.subarray(from, end)]);
      pending = [];
      length = 0;
      from = end + 1;
      try {
        onLine(JSON.parse(line.toString("utf8")));
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
        return;
      }
    }
    pending.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxCharacters) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}

/** Five missed heartbeats: the daemon is unresponsive. */
const SILENCE_TIMEOUT_MS = 5_000;
const MAX_ITEMS = 64 * 1024 * 1024;

interface AuthorizedModelRequest extends ModelRequest {
  /** Only the same version has the same model. */
  readonly program: string;
  readonly signal: AbortSignal | undefined;
}

export async function askModel(
  folder: string,
  { program, texts, role, signal }: AuthorizedModelRequest,
): Promise<readonly EncodedReading[] | undefined> {
  const socket = await connectToDaemon(folder);
  signal?.throwIfAborted();
  if (socket === undefined) return undefined;
  const giveUp = () => socket.destroy();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let found: readonly EncodedReading[] | undefined;
    socket.setTimeout(SILENCE_TIMEOUT_MS, giveUp);
    readLines(socket, {
      maxCharacters: MAX_ITEMS,
      onLine: (message) => {
        const daemonMessage = message as DaemonMessage;
        if (daemonMessage.kind === "read") found = daemonMessage.readings;
        if (daemonMessage.kind !== "taken") socket.end();
      },
    });
    const id = randomUUID();
    writeLine(socket, {
      ...{ ask: "read", id, proof: createProof(folder, id), program: programStamp(program) },
      read: { texts, role },
    } satisfies Partial<DaemonRequest>);
    await closed;
    signal?.throwIfAborted();
    return found?.length === texts.length ? found : undefined;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}
