import { Mutex } from "async-mutex";
import { notFound } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import type {
  PermissionAnswer,
  PermissionNotice,
  PermissionQuestion,
} from "../ports/permission-question.ts";

type Listener = (notice: PermissionNotice) => void;

interface Waiting {
  readonly question: PermissionQuestion;
  readonly settle: (answer: PermissionAnswer) => void;
}

/** Open questions of all threads, one per thread, and the clients that can answer them. */
export class QuestionDesk {
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Map<string, Waiting>();
  /** Concurrent calls of one thread ask one after the other. */
  readonly #turns = new Map<string, Mutex>();

  /** Sends open questions to a new client. Returns the function that removes it. */
  attach(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const { question } of this.#waiting.values()) {
      listener({ type: "permission.ask", question });
    }
    return () => this.#listeners.delete(listener);
  }

  get canAsk(): boolean {
    return this.#listeners.size > 0;
  }

  questionOf(threadId: string): PermissionQuestion | undefined {
    return this.#waiting.get(threadId)?.question;
  }

  async ask(
    question: Omit<PermissionQuestion, "questionId">,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> {
    const { threadId } = question;
    const turn = this.#turns.get(threadId) ?? new Mutex();
    this.#turns.set(threadId, turn);
    return turn.runExclusive(() => {
      signal.throwIfAborted();
      return this.#wait({ ...question, questionId: randomIds.next("ask_") }, signal);
    });
  }

  /** Throws not_found if the question is no longer open. */
  answer(threadId: string, questionId: string, answer: PermissionAnswer): void {
    const waiting = this.#waiting.get(threadId);
    if (waiting?.question.questionId !== questionId) {
      throw notFound(`The question "${questionId}" is not open any more.`);
    }
    waiting.settle(answer);
  }

  #wait(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer> {
    const { threadId, questionId } = question;
    return new Promise((resolve, reject) => {
      const close = (decision: PermissionAnswer["decision"] | "cancelled") => {
        this.#waiting.delete(threadId);
        signal.removeEventListener("abort", onAbort);
        this.#notify({ type: "permission.settled", threadId, questionId, decision });
      };
      const onAbort = () => {
        close("cancelled");
        reject(signal.reason);
      };
      const settle = (answer: PermissionAnswer) => {
        close(answer.decision);
        resolve(answer);
      };
      this.#waiting.set(threadId, { question, settle });
      signal.addEventListener("abort", onAbort, { once: true });
      this.#notify({ type: "permission.ask", question });
    });
  }

  #notify(notice: PermissionNotice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }
}
