// Part of the client: nothing but parts of Node.js is imported here.
import type { Socket } from "node:net";
import type { ClientMessage, DaemonMessage, DaemonRequest } from "./protocol.ts";
import { readLines, writeLine } from "./read-lines.ts";

export type Answer = Extract<DaemonMessage, { kind: "answered" }>;

export interface QuestionParts {
  readonly request: DaemonRequest;
  /** Is called once at most. */
  readonly takeStdin: () => Promise<Buffer>;
  /** Called if the daemon did not even accept the question in time. */
  readonly onUnresponsive?: () => void;
}

/**
 * Time for a daemon to accept a question, in milliseconds; a suspended one never does. A hook runs in
 * front of each tool call, so the user waits for it.
 */
const ACCEPT_MS = 2_000;
const ACCEPT_HOOK_MS = 250;
/** How long it may be silent while working, in milliseconds. */
const SILENT_MS = 10_000;
const MAX_ANSWER = 512 * 1024 * 1024;

/** One question, and what the daemon asks back. */
export class Question {
  readonly #socket: Socket;
  readonly #request: DaemonRequest;
  readonly #takeStdin: () => Promise<Buffer>;
  #silence: NodeJS.Timeout | undefined;
  #settle: (answer: Answer | "untouched" | undefined) => void = () => undefined;

  readonly #onUnresponsive: (() => void) | undefined;

  constructor(socket: Socket, { request, takeStdin, onUnresponsive }: QuestionParts) {
    this.#onUnresponsive = onUnresponsive;
    this.#socket = socket;
    this.#request = request;
    this.#takeStdin = takeStdin;
  }

  /** Undefined: this process has to do the work, and it is unknown whether it was done already. */
  answer(): Promise<Answer | "untouched" | undefined> {
    return new Promise((resolve) => {
      this.#settle = (answer) => {
        clearTimeout(this.#silence);
        resolve(answer);
        this.#socket.destroySoon();
      };
      const giveUp = () => this.#settle(undefined);
      this.#socket.once("error", giveUp);
      this.#socket.once("close", giveUp);
      const isHook = this.#request.args[0] === "hook";
      this.#silence = setTimeout(
        () => {
          if (!isHook) this.#onUnresponsive?.();
          this.#settle(undefined);
        },
        isHook ? ACCEPT_HOOK_MS : ACCEPT_MS,
      );
      readLines(this.#socket, {
        most: MAX_ANSWER,
        onLine: (message) => this.#take(message as DaemonMessage),
      });
      writeLine(this.#socket, this.#request);
    });
  }

  #take(message: DaemonMessage): void {
    this.#expectWithin(SILENT_MS);
    if (message.kind === "stdin") void this.#sendStdin();
    if (message.kind === "declined")
      this.#settle(message.hasTried === true ? undefined : "untouched");
    if (message.kind === "answered") {
      this.#send({ kind: "received" });
      this.#settle(message);
    }
  }

  async #sendStdin(): Promise<void> {
    const bytes = await this.#takeStdin();
    this.#expectWithin(SILENT_MS);
    this.#send({ kind: "stdin", bytes: bytes.toString("base64") });
  }

  #send(message: ClientMessage): void {
    writeLine(this.#socket, message);
  }

  #expectWithin(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#settle(undefined), ms);
  }
}
