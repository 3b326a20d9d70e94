import type { RawData, WebSocket } from "ws";
import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { CairnError, invalidInput, isCairnError, messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { requireAllowed } from "./approver-rights.ts";
import type { ClientMessage } from "./client-messages.ts";
import { encodeMessage } from "./encode.ts";
import { LiveFeed } from "./live-feed.ts";
import { handleMessage, type ServersOfUser, sessionReady } from "./message-handlers.ts";
import { Outbox } from "./outbox.ts";
import { type FrameMistake, type ParsedFrame, parseFrame } from "./parse-frame.ts";
import type { ServerMessage } from "./server-messages.ts";
import { WorkOrder } from "./work-order.ts";

export interface SessionOptions {
  readonly socket: WebSocket;
  readonly host: ThreadHost;
  readonly outboundBytes: number;
  readonly logger: Logger;
  readonly servers: () => ServersOfUser;
  /** Whose token the client brought. Its name is used in the log; without one, the name the client gives itself. */
  readonly caller: Caller;
}

const CLOSE_NORMAL = 1000;
/** Messages taken from one client and not yet done, before its socket is read no further. */
const MAX_PENDING = 256;
/** Messages that a client sends while it arrives; anything else ends its arrival. */
const ARRIVAL = new Set(["session.start", "thread.list", "thread.subscribe", "thread.history"]);

/** One connected client, from `session.ready` to the end of its socket. */
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
    this.#outbox.send(encodeMessage(sessionReady(host)));
  }

  /** Takes an event of any thread; `text` is its message, encoded once for all clients. */
  deliver(event: AgentEvent, text: string): void {
    this.#feed.deliver(event, text);
  }

  /** Closes the socket; what the client has not got yet goes out first. */
  close(code: number, reason: string): void {
    const { socket } = this.#options;
    this.#feed.release();
    // A paused socket would never see the client's answer.
    socket.resume();
    socket.close(code, reason);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#outbox.isOpen) return;
    const { message, mistake } = isBinary ? binaryFrame() : parseFrame(textOf(data));
    if (mistake !== undefined) {
      this.#complain(mistake);
      return;
    }
    if (!ARRIVAL.has(message.type)) this.#feed.release();
    const threadId = "threadId" in message.payload ? message.payload.threadId : undefined;
    const task = () => this.#handle(message, threadId ?? undefined);
    void (threadId == null ? this.#runUnordered(message, task) : this.#order.runOn(threadId, task));
    this.#applyBackpressure();
  }

  #runUnordered(message: ClientMessage, task: () => Promise<void>): Promise<void> {
    const dependsOnAll = message.type === "thread.list" || message.type === "session.stop";
    return dependsOnAll ? this.#order.runLast(task) : task();
  }

  /** Never rejects: what a message leads to stays with the client that sent it. */
  async #handle(message: ClientMessage, threadId: string | undefined): Promise<void> {
    const { host, logger, socket, caller } = this.#options;
    try {
      requireAllowed(message, caller);
      await handleMessage(message, {
        host,
        feed: this.#feed,
        send: (answer) => this.#outbox.send(encodeMessage(answer)),
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
      const foreseen = isCairnError(error) ? error : failure(error, message, logger);
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

  #complain({ error, threadId }: FrameMistake): void {
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

function binaryFrame(): ParsedFrame {
  return { mistake: { error: invalidInput("Send text frames; this one was binary.") } };
}

function failure(error: unknown, { type }: ClientMessage, logger: Logger): CairnError {
  logger.error(`${type} failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return new CairnError("internal", `The server failed to handle ${type}; its log says why.`);
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.from(data).toString("utf8");
}
