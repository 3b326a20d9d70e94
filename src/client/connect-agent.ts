import type { ClientMessageToSend, ServerMessage } from "../server/ui/index.ts";
import { type AgentLine, AgentLines } from "./agent-lines.ts";
import { EventOrder } from "./event-order.ts";
import { LiveSocket } from "./live-socket.ts";
import type { Decision, Question } from "./questions.ts";

type Handlers = {
  readonly [Type in ServerMessage["type"]]?: (
    payload: Extract<ServerMessage, { type: Type }>["payload"],
  ) => void;
};

export interface AgentClientOptions {
  /** Such as `ws://127.0.0.1:7434/ws`. */
  readonly url: string | URL;
  readonly token?: string | undefined;
  readonly threadId?: string | undefined;
  readonly name?: string;
  readonly on?: Handlers;
  /**
   * Receives the conversation as plain-text lines in order, including permission requests with
   * their `answers`. A line with a known id replaces the earlier one. Setting it makes this client
   * a participant in permission requests; only a user may choose an answer.
   */
  readonly onLine?: (line: AgentLine) => void;
  /**
   * Permission request, for clients with their own rendering. Show all of `wholeQuestion(question)`
   * before the user decides. Without this and `onLine`, the server's mode and rules decide.
   */
  readonly onQuestion?: (question: Question) => void;
  /** The request was answered or the run has ended; `cancelled` if neither is known. */
  readonly onSettled?: (questionId: string, decision: Decision | "cancelled") => void;
  readonly onRestart: () => void;
  /** Connected, or disconnected and reconnecting. */
  readonly onConnection?: (isLive: boolean) => void;
}

export interface AgentClient {
  readonly threadId: string;
  say(text: string): boolean;
  stop(): boolean;
  answer(question: Question, decision: Decision, message?: string): boolean;
  send(message: ClientMessageToSend): boolean;
  close(): void;
}

/**
 * Connects to `cairn ui-server` (protocol version 2) in browsers and other WebSocket environments.
 */
export function connectAgent(options: AgentClientOptions): AgentClient {
  return new Connection(options);
}

class Connection implements AgentClient {
  readonly threadId: string;
  readonly #options: AgentClientOptions;
  readonly #socket: LiveSocket;
  readonly #order = new EventOrder();
  readonly #lines: AgentLines;
  readonly #questions = new Map<string, Question>();
  #doubtful = new Set<string>();
  readonly #hasPast: boolean;

  constructor(options: AgentClientOptions) {
    const { token, url, threadId, onLine, onConnection } = options;
    this.#options = options;
    this.threadId = threadId ?? crypto.randomUUID();
    this.#hasPast = threadId !== undefined;
    this.#lines = new AgentLines({
      emit: (line) => onLine?.(line),
      say: (text) => this.say(text),
      answer: (...answer) => this.answer(...answer),
    });
    const address = new URL(url);
    if (token !== undefined) address.searchParams.set("token", token);
    this.#socket = new LiveSocket({
      address,
      onOpen: () => this.#arrive(),
      onMessage: (message) => this.#take(message),
      onLost: () => onConnection?.(false),
    });
  }

  say(text: string): boolean {
    const { threadId } = this;
    const isSent = this.send({ type: "message.user", payload: { threadId, text } });
    if (isSent) this.#lines.sent(text, true);
    return isSent;
  }

  stop(): boolean {
    return this.send({ type: "run.cancel", payload: { threadId: this.threadId } });
  }

  answer({ threadId, questionId }: Question, decision: Decision, message?: string): boolean {
    const extra = message === undefined ? {} : { message };
    return this.send({
      type: "permission.answer",
      payload: { threadId, questionId, decision, ...extra },
    });
  }

  send(message: ClientMessageToSend): boolean {
    return this.#socket.send(message);
  }

  close(): void {
    this.#socket.close();
  }

  #arrive(): void {
    const { onQuestion, onLine, onConnection, name } = this.#options;
    const { threadId } = this;
    onConnection?.(true);
    this.#doubtful = new Set(this.#questions.keys());
    const takesPart = onQuestion !== undefined || onLine !== undefined;
    const capabilities = takesPart ? ["permission"] : [];
    const named = name === undefined ? {} : { client: name };
    this.send({ type: "session.start", payload: { capabilities, ...named } });
    if (this.#order.last > 0) this.#follow();
    else if (this.#hasPast) this.#askForAll();
    else this.send({ type: "thread.create", payload: { threadId } });
    this.send({ type: "thread.list", payload: {} });
  }

  #follow(): void {
    const { threadId } = this;
    const sinceSeq = this.#order.ask();
    this.send({ type: "thread.subscribe", payload: { threadId, sinceSeq } });
  }

  #askForAll(): void {
    this.#options.onRestart();
    this.#lines.clear();
    this.send({ type: "thread.history", payload: { threadId: this.threadId } });
  }

  #take(message: ServerMessage): void {
    const { payload } = message;
    const threadId = "threadId" in payload ? payload.threadId : undefined;
    if (threadId !== undefined && threadId !== this.threadId) return;
    const position = this.#order.classify(message);
    if (position === "known") return;
    if (position === "missing") {
      this.#follow();
      return;
    }
    if (message.type === "status" && message.payload.phase === "resync") {
      this.#order.restart();
      this.#askForAll();
      return;
    }
    this.#emit(message);
  }

  #emit(message: ServerMessage): void {
    this.#lines.take(message, this.threadId);
    if (message.type === "permission.ask") this.#ask(message.payload);
    if (message.type === "permission.settled") {
      this.#settle(message.payload.questionId, message.payload.decision);
    }
    if (message.type === "thread.history") {
      for (const open of this.#questions.values()) this.#ask(open);
    }
    if (message.type === "thread.list") {
      for (const questionId of this.#doubtful) this.#settle(questionId, "cancelled");
    }
    const handle = this.#options.on?.[message.type] as ((payload: unknown) => void) | undefined;
    handle?.(message.payload);
  }

  #ask(question: Question): void {
    this.#doubtful.delete(question.questionId);
    this.#questions.set(question.questionId, question);
    this.#lines.ask(question);
    this.#options.onQuestion?.(question);
  }

  #settle(questionId: string, decision: Decision | "cancelled"): void {
    this.#doubtful.delete(questionId);
    this.#questions.delete(questionId);
    this.#lines.settle(questionId, decision);
    this.#options.onSettled?.(questionId, decision);
  }
}
