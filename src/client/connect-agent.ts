import type { ClientMessageToSend, ServerMessage } from "../ui-server/index.ts";
import type { Decision, Question } from "./questions.ts";

const RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;

type Handlers = {
  readonly [Type in ServerMessage["type"]]?: (
    payload: Extract<ServerMessage, { type: Type }>["payload"],
  ) => void;
};

export interface AgentClientOptions {
  /** `ws://127.0.0.1:7434/ws` */
  readonly url: string | URL;
  readonly token?: string | undefined;
  /** The thread to go on with; left out: a new one. */
  readonly threadId?: string | undefined;
  /** How the log of what the agent did calls whoever answers here. */
  readonly name?: string;
  /** Of this thread, and of no thread, in order and each once. Types without a handler are ignored. */
  readonly on: Handlers;
  /**
   * A call waits for a person. Show all of `wholeQuestion(question)`, and answer once they have decided:
   * nothing is ever answered by itself. Left out: this client does not take part in questions, and what
   * runs without one is decided by the server's mode and rules.
   */
  readonly onQuestion?: (question: Question) => void;
  /** The question needs no answer any more: somebody gave it, or the run has ended. */
  readonly onSettled?: (questionId: string, decision: Decision | "cancelled") => void;
  /** What was shown of the thread is out of date: clear it, `thread.history` follows. */
  readonly onRestart: () => void;
  /** The connection is there, or lost and looked for again. */
  readonly onConnection?: (isLive: boolean) => void;
}

/** One thread of an agent, over connections that come and go. */
export interface AgentClient {
  readonly threadId: string;
  /** False: there is no connection, and nothing was sent. So with all that is sent. */
  say(text: string): boolean;
  stop(): boolean;
  /** With `no`, words for the agent; of a question that wants words, these. */
  answer(question: Question, decision: Decision, message?: string): boolean;
  send(message: ClientMessageToSend): boolean;
  close(): void;
}

/** Speaks protocol version 2 with `cairn ui-server`, in browsers and wherever there is a WebSocket. */
export function connectAgent(options: AgentClientOptions): AgentClient {
  return new Connection(options);
}

class Connection implements AgentClient {
  readonly threadId: string;
  readonly #options: AgentClientOptions;
  #socket: WebSocket | undefined;
  #lastSeq = 0;
  #retry = RETRY_MS;
  #isClosed = false;
  /** There is something of before to show: the thread was given, or was lost from sight. */
  #hasPast: boolean;

  constructor(options: AgentClientOptions) {
    this.#options = options;
    this.threadId = options.threadId ?? crypto.randomUUID();
    this.#hasPast = options.threadId !== undefined;
    this.#connect();
  }

  say(text: string): boolean {
    return this.send({ type: "message.user", payload: { threadId: this.threadId, text } });
  }

  stop(): boolean {
    return this.send({ type: "run.cancel", payload: { threadId: this.threadId } });
  }

  answer({ threadId, questionId }: Question, decision: Decision, message?: string): boolean {
    const said = message === undefined ? {} : { message };
    return this.send({
      type: "permission.answer",
      payload: { threadId, questionId, decision, ...said },
    });
  }

  send(message: ClientMessageToSend): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #connect(): void {
    const address = new URL(this.#options.url);
    const { token } = this.#options;
    if (token !== undefined) address.searchParams.set("token", token);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#arrive();
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = () => this.#lose();
  }

  #arrive(): void {
    const { onQuestion, onConnection, name } = this.#options;
    const { threadId } = this;
    this.#retry = RETRY_MS;
    onConnection?.(true);
    const capabilities = onQuestion === undefined ? [] : ["permission"];
    const named = name === undefined ? {} : { client: name };
    this.send({ type: "session.start", payload: { capabilities, ...named } });
    // What happened meanwhile is sent again; a thread that is unknown is made.
    if (this.#lastSeq > 0) this.#follow();
    else if (this.#hasPast) this.#askForAll();
    else this.send({ type: "thread.create", payload: { threadId } });
    this.send({ type: "thread.list", payload: {} });
  }

  #lose(): void {
    this.#options.onConnection?.(false);
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed) this.#connect();
    }, this.#retry);
    this.#retry = Math.min(this.#retry * 2, LONGEST_RETRY_MS);
  }

  #follow(): void {
    const { threadId } = this;
    this.send({ type: "thread.subscribe", payload: { threadId, sinceSeq: this.#lastSeq } });
  }

  #askForAll(): void {
    this.#options.onRestart();
    this.send({ type: "thread.history", payload: { threadId: this.threadId } });
  }

  #take(message: ServerMessage): void {
    const { payload } = message;
    const { onQuestion, onSettled } = this.#options;
    const threadId = "threadId" in payload ? payload.threadId : undefined;
    if (threadId !== undefined && threadId !== this.threadId) return;
    if (message.type === "permission.ask") onQuestion?.(message.payload);
    if (message.type === "permission.settled") {
      onSettled?.(message.payload.questionId, message.payload.decision);
    }
    const seq = "seq" in payload ? payload.seq : undefined;
    if (seq !== undefined) {
      if (seq <= this.#lastSeq) return;
      if (this.#lastSeq > 0 && seq > this.#lastSeq + 1) {
        this.#follow();
        return;
      }
      this.#lastSeq = seq;
    }
    if (message.type === "status" && message.payload.phase === "resync") {
      this.#lastSeq = 0;
      this.#askForAll();
      return;
    }
    const handle = this.#options.on[message.type] as ((payload: unknown) => void) | undefined;
    handle?.(payload);
  }
}
