import type { RawData, WebSocket } from "ws";
import type { z } from "zod";
import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import type { Caller } from "../../shared/caller.ts";
import {
  CairnError,
  diskIsFull,
  invalidInput,
  isCairnError,
  lacksSpace,
  messageOf,
} from "../../shared/errors.ts";
import { isPlainObject, JsonSyntaxError, parseJson } from "../../shared/json.ts";
import type { Logger } from "../../shared/logger.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { ClientMessage } from "./client-messages.ts";
import { type ClientMessageType, clientMessages, MAX_THREAD_ID_LENGTH } from "./client-messages.ts";
import { encodeMessage } from "./encode.ts";
import { handleMessage, LiveFeed, sessionReady, type UserServers } from "./message-handlers.ts";
import { Outbox } from "./outbox.ts";
import type { ServerMessage } from "./server-messages.ts";

interface FrameError {
  readonly error: CairnError;
  readonly threadId?: string;
}

type ParsedFrame =
  | { readonly message: ClientMessage; readonly mistake?: undefined }
  | { readonly message?: undefined; readonly mistake: FrameError };

function parseFrame(text: string): ParsedFrame {
  let frame: unknown;
  try {
    frame = parseJson(text);
  } catch (error) {
    const reason = error instanceof JsonSyntaxError ? error.message : "It cannot be parsed";
    return createMistake(`The frame is not JSON. ${reason}.`);
  }
  if (!isPlainObject(frame) || typeof frame.type !== "string") {
    return createMistake(
      'A frame is a JSON object with a text "type" and, where needed, a "payload".',
    );
  }
  if (!isMessageType(frame.type)) return createMistake(unknownTypeError(frame.type), frame.payload);
  const { payload } = clientMessages[frame.type];
  const parsed = payload.safeParse(frame.payload ?? {});
  if (!parsed.success) return createMistake(explainIssue(frame.type, parsed.error), frame.payload);
  return { message: { type: frame.type, payload: parsed.data } as ClientMessage };
}

function isMessageType(type: string): type is ClientMessageType {
  return Object.hasOwn(clientMessages, type);
}

const MAX_SHOWN_LENGTH = 64;

function unknownTypeError(type: string): string {
  const quotedType = JSON.stringify(type.slice(0, MAX_SHOWN_LENGTH));
  const types = Object.keys(clientMessages);
  return `Unknown message type ${quotedType}.${didYouMean(type.slice(0, MAX_SHOWN_LENGTH), types)}`;
}

function explainIssue(type: string, error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => {
    const field = ["payload", ...path.map(String)].join(".");
    return `${field} ${message.startsWith("must") ? message : `is not valid (${message})`}`;
  });
  return `${type}: ${problems.join("; ")}.`;
}

function createMistake(message: string, payload?: unknown): ParsedFrame {
  const named = isPlainObject(payload) ? payload.threadId : undefined;
  const isTellable = typeof named === "string" && named.length <= MAX_THREAD_ID_LENGTH;
  const error = invalidInput(message);
  return { mistake: isTellable ? { error, threadId: named } : { error } };
}

/** Orders one client's messages by their dependencies. */
class WorkOrder {
  readonly #tails = new Map<string, Promise<void>>();
  #count = 0;

  get pending(): number {
    return this.#count;
  }

  /** Runs after earlier tasks of the same thread; threads do not wait for each other. */
  runOn(threadId: string, task: () => Promise<void>): Promise<void> {
    const earlier = this.#tails.get(threadId);
    const run = this.#track(earlier === undefined ? task() : earlier.then(task));
    this.#tails.set(threadId, run);
    const forget = () => {
      if (this.#tails.get(threadId) === run) this.#tails.delete(threadId);
    };
    run.then(forget, forget);
    return run;
  }

  /** Runs after all earlier tasks. */
  runLast(task: () => Promise<void>): Promise<void> {
    return this.#track(Promise.allSettled(this.#tails.values()).then(task));
  }

  async #track(run: Promise<void>): Promise<void> {
    this.#count += 1;
    try {
      await run;
    } finally {
      this.#count -= 1;
    }
  }
}

/** An allowlist, so new message types are denied to approvers by default. */
const APPROVER_MESSAGES: ReadonlySet<ClientMessageType> = new Set([
  "session.start",
  "session.stop",
  "thread.list",
  "thread.subscribe",
  "thread.history",
  "queue.list",
  "permission.answer",
  "run.cancel",
]);

/**
 * Throws forbidden for messages that the caller's token does not allow. With scope `approve`, a
 * client watches threads, answers single permission requests and stops runs; it cannot send
 * messages, change anything or allow later calls.
 */
function requireAllowed(message: ClientMessage, { name, scope }: Caller): void {
  if (scope !== "approve") return;
  const whose = `the token of ${name} has the scope approve, which can only answer permission requests and stop runs`;
  if (!APPROVER_MESSAGES.has(message.type)) {
    throw new CairnError("forbidden", `${message.type}: ${whose}. Use the token of the server.`);
  }
  const { decision } = message.type === "permission.answer" ? message.payload : {};
  if (decision === "session" || decision === "always") {
    throw new CairnError(
      "forbidden",
      `decision: ${whose}, with "once" or "no". Allow later calls with the token of the server.`,
    );
  }
}

export interface SessionOptions {
  readonly socket: WebSocket;
  readonly host: ThreadHost;
  readonly outboundBytes: number;
  readonly logger: Logger;
  readonly servers: () => UserServers;
  readonly caller: Caller;
  broadcast(message: (scope: Caller["scope"]) => ServerMessage): void;
}

const CLOSE_NORMAL = 1000;
const MAX_PENDING = 256;
/** Messages a client sends on connecting; any other ends the arrival phase. */
const ARRIVAL_MESSAGES = new Set([
  "session.start",
  "thread.list",
  "thread.subscribe",
  "thread.history",
]);

export class ClientSession {
  readonly #options: SessionOptions;
  readonly #outbox: Outbox;
  readonly #feed: LiveFeed;
  readonly #order = new WorkOrder();
  #leaveQuestions: (() => void) | undefined;
  #name = "a client";

  constructor(options: SessionOptions) {
    const { socket, host, outboundBytes } = options;
    this.#options = options;
    this.#outbox = new Outbox(socket, outboundBytes);
    this.#feed = new LiveFeed(host, this.#outbox);
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", () => {
      this.#leaveQuestions?.();
      this.#feed.close();
    });
    this.send((scope) => sessionReady(host, scope));
  }

  send(message: (scope: Caller["scope"]) => ServerMessage): void {
    this.#outbox.send(encodeMessage(message(this.#options.caller.scope)));
  }

  /** Receives events of all threads; `text` is the message, encoded once for all clients. */
  deliver(event: AgentEvent, text: string): void {
    this.#feed.deliver(event, text);
  }

  close(code: number, reason: string): void {
    const { socket } = this.#options;
    this.#feed.release();
    // A paused socket would not receive the close frame.
    socket.resume();
    socket.close(code, reason);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#outbox.isOpen) return;
    const { message, mistake } = isBinary ? binaryFrameError() : parseFrame(decodeText(data));
    if (mistake !== undefined) {
      this.#complain(mistake);
      return;
    }
    if (!ARRIVAL_MESSAGES.has(message.type)) this.#feed.release();
    const threadId = "threadId" in message.payload ? message.payload.threadId : undefined;
    const task = () => this.#handle(message, threadId ?? undefined);
    void (threadId == null ? this.#runUnordered(message, task) : this.#order.runOn(threadId, task));
    this.#applyBackpressure();
  }

  #runUnordered(message: ClientMessage, task: () => Promise<void>): Promise<void> {
    const dependsOnAll = message.type === "thread.list" || message.type === "session.stop";
    return dependsOnAll ? this.#order.runLast(task) : task();
  }

  /** Never rejects: errors go to the client that sent the message. */
  async #handle(message: ClientMessage, threadId: string | undefined): Promise<void> {
    const { host, logger, socket, caller } = this.#options;
    try {
      requireAllowed(message, caller);
      await handleMessage(message, {
        host,
        feed: this.#feed,
        send: (answer) => this.#outbox.send(encodeMessage(answer)),
        broadcast: this.#options.broadcast,
        scope: caller.scope,
        takeQuestions: (name) => {
          this.#name = caller.name ?? name;
          this.#takeQuestions();
        },
        clientName: this.#name,
        servers: this.#options.servers,
        takesQuestions: this.#leaveQuestions !== undefined,
        end: () => socket.close(CLOSE_NORMAL, "The session was stopped."),
      });
    } catch (error) {
      const foreseen = isCairnError(error) ? error : createFailure(error, message, logger);
      this.#complain({ error: foreseen, ...(threadId !== undefined && { threadId }) });
    }
    this.#applyBackpressure();
  }

  #takeQuestions(): void {
    this.#leaveQuestions ??= this.#options.host.permission.attach((notice) => {
      const { type, ...fields } = notice;
      const payload = "question" in fields ? fields.question : fields;
      this.#outbox.send(encodeMessage({ type, payload } as ServerMessage));
    });
  }

  #complain({ error, threadId }: FrameError): void {
    const { message, code } = error;
    const about = threadId === undefined ? {} : { threadId };
    this.#outbox.send(encodeMessage({ type: "error", payload: { ...about, message, code } }));
  }

  #applyBackpressure(): void {
    const { socket } = this.#options;
    if (this.#order.pending > MAX_PENDING) socket.pause();
    else if (socket.isPaused) socket.resume();
  }
}

function binaryFrameError(): ParsedFrame {
  return { mistake: { error: invalidInput("Send text frames; this one was binary.") } };
}

function createFailure(error: unknown, { type }: ClientMessage, logger: Logger): CairnError {
  if (lacksSpace(error)) return diskIsFull(error);
  logger.error(`${type} failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return new CairnError("internal", `The server failed to handle ${type}; see the server log.`);
}

function decodeText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.from(data).toString("utf8");
}
