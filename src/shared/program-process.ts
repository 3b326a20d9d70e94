import type { ChildProcess } from "node:child_process";
import { messageOf } from "./errors.ts";
import { exitWithParent, ownProgram, ProcessEnded } from "./own-process.ts";
import { startProgram } from "./programs.ts";

export interface ProgramProcessOptions {
  readonly args?: readonly string[];
  readonly onEnd?: (reason: string) => void;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

const CLOSE_MS = 2_000;

/**
 * Runs a program of this package (see `ownProgram`) in a child process that answers many requests
 * with `answerQuestions`. The child exits with this process and does not keep it alive while idle.
 * Messages must be structured-cloneable.
 */
export class ProgramProcess<Question, Answer> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onEnd: ((reason: string) => void) | undefined;
  #last = 0;
  #isEnding = false;

  constructor(source: URL, { args = [], onEnd }: ProgramProcessOptions = {}) {
    const { file, argv } = ownProgram(source);
    const child = startProgram(process.execPath, [file, ...argv, ...args], {
      // Sends vectors without converting them.
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.unref();
    child.channel?.unref();
    child.on("message", (message) => this.#take(message as AnsweredQuestion));
    child.once("error", (error) => this.#fail(error.message));
    child.once("exit", (code, signal) => this.#fail(`it ended with ${signal ?? code}`));
    this.#child = child;
    this.#onEnd = onEnd;
  }

  get load(): number {
    return this.#waiting.size;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (!this.#child.connected) {
        this.#fail("it has ended");
        return;
      }
      this.#child.channel?.ref();
      this.#send({ id, question });
    });
    if (signal === undefined) return answer as Promise<Answer>;
    const onAbort = () => {
      const waiting = this.#settle(id);
      if (this.#child.connected) this.#send({ id, isCancelled: true });
      waiting?.reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return answer.finally(() => signal.removeEventListener("abort", onAbort)) as Promise<Answer>;
  }

  /** Rejects pending requests and waits for the process to exit. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#isEnding = true;
    this.#fail("it was closed");
    if (child.connected) child.disconnect();
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.ref();
    const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
    await new Promise((resolve) => child.once("exit", resolve));
    clearTimeout(timer);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: ProgramRequest): void {
    this.#child.send(message, (error) => {
      if (error !== null) this.#fail(error.message);
    });
  }

  #take({ id, answer, error }: AnsweredQuestion): void {
    const waiting = this.#settle(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
    return waiting;
  }

  #fail(reason: string): void {
    const error = new ProcessEnded(reason);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#child.channel?.unref();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#onEnd?.(reason);
  }
}

/** A message of `AskedProcess`: a request or its cancellation. */
export interface ProgramRequest {
  readonly id: number;
  readonly question?: unknown;
  readonly isCancelled?: true;
}

export interface AnsweredQuestion {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/**
 * Handles `AskedProcess` requests concurrently until the parent exits. A request's signal aborts on
 * cancellation.
 */
export function serveRequests<Question>(
  answer: (question: Question, signal: AbortSignal) => Promise<unknown>,
): void {
  exitWithParent();
  const answering = new Map<number, AbortController>();
  const reply = (message: AnsweredQuestion) => void process.send?.(message);

  const answerOne = async (id: number, question: Question) => {
    const stop = new AbortController();
    answering.set(id, stop);
    try {
      reply({ id, answer: await answer(question, stop.signal) });
    } catch (error) {
      reply({ id, error: messageOf(error) });
    } finally {
      answering.delete(id);
    }
  };

  process.on("message", (message) => {
    const { id, question, isCancelled } = message as ProgramRequest;
    if (isCancelled === true) answering.get(id)?.abort();
    else void answerOne(id, question as Question);
  });
}
