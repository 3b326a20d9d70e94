import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
  ErrorCode as RpcErrorCode,
} from "@modelcontextprotocol/sdk/types.js";
import { sleep } from "../../shared/async.ts";
import { hasLargerObject, isPlainObject, MAX_JSON_KEYS, tryParseJson } from "../../shared/json.ts";
import type { Logger } from "../../shared/logger.ts";
import { createCancelledResponse, readCancelledId } from "./rpc-error.ts";

export interface StdioOptions {
  readonly stdin: Readable;
  /** Reserved for protocol messages. */
  readonly stdout: Writable;
  readonly logger: Logger;
  readonly messageBytes: number;
  /** Stops the server like end of input. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for running requests after the input ends. */
const GRACE_MS = 3_000;

/**
 * Serves until the input ends, the output closes or the signal aborts; finishes requests received
 * before.
 */
export async function serveStdio(server: Server, options: StdioOptions): Promise<void> {
  const { stdin, stdout, logger, signal } = options;
  const transport = new LineTransport(stdin, stdout, options.messageBytes);
  const hasEnded = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    stdout.once("error", () => resolve());
    stdout.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      resolve();
    };
  });
  server.onerror = (error) => logger.warn(error.message);
  await server.connect(transport);
  await hasEnded;
  const deadline = Date.now() + GRACE_MS;
  while (transport.unanswered > 0 && Date.now() < deadline && stdout.writable) await sleep(10);
  await server.close();
}

const NEWLINE_BYTE = 0x0a;
/** Bytes of an oversized message searched for its id. */
const HEAD_BYTES = 4_096;

interface Batch {
  readonly waiting: Set<RequestId>;
  readonly responses: JSONRPCMessage[];
}

/**
 * JSON-RPC messages or batches, one per line. Unlike the SDK's transport, answers every request,
 * including oversized, malformed and batched ones.
 */
class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  onclose?: NonNullable<Transport["onclose"]>;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #maxBytes: number;
  readonly #waiting = new Set<RequestId>();
  readonly #batches = new Map<RequestId, Batch>();
  #chunks: Buffer[] = [];
  #size = 0;
  /** Beginning of an oversized line. */
  #head: Buffer | undefined;

  constructor(stdin: Readable, stdout: Writable, maxBytes: number) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#maxBytes = maxBytes;
  }

  /** Number of requests without a response. */
  get unanswered(): number {
    return this.#waiting.size;
  }

  async start(): Promise<void> {
    this.#stdin.on("data", this.#onData);
    this.#stdin.on("end", this.#onEnd);
    this.#stdin.on("error", this.#onError);
  }

  async close(): Promise<void> {
    this.#stdin.off("data", this.#onData);
    this.#stdin.off("end", this.#onEnd);
    this.#stdin.off("error", this.#onError);
    if (this.#stdin.listenerCount("data") === 0) this.#stdin.pause();
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    if (id === undefined) return this.#write(message);
    const batch = this.#batches.get(id);
    if (batch === undefined) await this.#write(message);
    else {
      batch.waiting.delete(id);
      batch.responses.push(message);
      this.#batches.delete(id);
      if (batch.waiting.size === 0) await this.#write(batch.responses);
    }
    this.#waiting.delete(id);
  }

  #write(value: unknown): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.write(`${JSON.stringify(value)}\n`)) resolve();
      else this.#stdout.once("drain", resolve);
    });
  }

  readonly #onError = (error: Error) => this.onerror?.(error);

  readonly #onData = (chunk: Buffer | string) => {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(NEWLINE_BYTE); end >= 0; end = rest.indexOf(NEWLINE_BYTE)) {
      this.#take(rest.subarray(0, end));
      this.#endLine();
      rest = rest.subarray(end + 1);
    }
    this.#take(rest);
  };

  /** The last line may have no newline. */
  readonly #onEnd = () => this.#endLine();

  #take(part: Buffer): void {
    if (this.#head !== undefined || part.length === 0) return;
    this.#chunks.push(part);
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) return;
    this.#head = Buffer.concat(this.#chunks).subarray(0, HEAD_BYTES);
    this.#chunks = [];
    this.#size = 0;
  }

  #endLine(): void {
    const head = this.#head;
    const line = Buffer.concat(this.#chunks)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
    this.#chunks = [];
    this.#size = 0;
    this.#head = undefined;
    if (head !== undefined) {
      const message = `The message is larger than ${this.#maxBytes} bytes. Send less.`;
      this.#refuse(parseId(head.toString("utf8")), RpcErrorCode.InvalidRequest, message);
    } else if (line.trim() !== "") this.#receive(line);
  }

  #receive(line: string): void {
    if (hasLargerObject(line)) {
      const message = `The message contains an object with more than ${MAX_JSON_KEYS} keys.`;
      this.#refuse(parseId(line), RpcErrorCode.InvalidRequest, message);
      return;
    }
    const value = tryParseJson(line);
    if (value === undefined) {
      this.#refuse(null, RpcErrorCode.ParseError, "Parse error: the line is not JSON.");
      return;
    }
    const messages = Array.isArray(value) ? value : [value];
    if (messages.length === 0) {
      this.#refuse(null, RpcErrorCode.InvalidRequest, "The batch is empty.");
      return;
    }
    const batch: Batch | undefined = Array.isArray(value)
      ? { waiting: new Set(), responses: [] }
      : undefined;
    const read = messages.map(readMessage);
    for (const message of read) {
      if (!("method" in message) || !("id" in message) || message.id === undefined) continue;
      this.#waiting.add(message.id);
      batch?.waiting.add(message.id);
      if (batch !== undefined) this.#batches.set(message.id, batch);
    }
    for (const message of read) {
      if (!("invalid" in message)) this.#deliver(message);
      else this.#refuse(message.id, RpcErrorCode.InvalidRequest, "This is not a JSON-RPC message.");
    }
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    const cancelled = readCancelledId(message);
    if (cancelled === undefined) return;
    this.#waiting.delete(cancelled);
    // A batch is answered as a whole. The SDK cancels after this turn of the event loop.
    setImmediate(() => {
      if (this.#batches.has(cancelled)) void this.send(createCancelledResponse(cancelled));
    });
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

/**
 * Normalizes parameters as clients send them, which the SDK's schema rejects: `null` for omitted
 * ones, and the arguments of a tool call as JSON text.
 */
export function normalizeParams(message: unknown): unknown {
  if (!isPlainObject(message) || !Object.hasOwn(message, "params")) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isPlainObject(params)) return message;
  const entries = Object.entries(params).filter(([, value]) => value !== null);
  const normalized = entries.map(([name, value]) => {
    const isText = name === "arguments" && typeof value === "string";
    return [name, isText ? (tryParseJson(value.trim() || "{}") ?? value) : value] as const;
  });
  return { ...message, params: Object.fromEntries(normalized) };
}

function readMessage(
  value: unknown,
): JSONRPCMessage | { readonly invalid: true; readonly id: RequestId | null } {
  const parsed = JSONRPCMessageSchema.safeParse(normalizeParams(value));
  if (parsed.success) return parsed.data;
  const id = isPlainObject(value) ? value.id : null;
  return { invalid: true, id: typeof id === "string" || typeof id === "number" ? id : null };
}

/** Finds the id at the beginning of an oversized message; null if it comes later. */
function parseId(head: string): RequestId | null {
  const [, text] = /"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})/.exec(head) ?? [];
  const id = text === undefined ? undefined : tryParseJson(text);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
