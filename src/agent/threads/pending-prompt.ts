import type { Choice } from "../ports/dialogue.ts";
import type { AgentEventBody } from "../ports/events.ts";

interface Waiting {
  readonly question: string;
  readonly answer: (text: string) => void;
}

/** The question of a flow that waits for the next message on the thread. */
export class PendingPrompt {
  #waiting: Waiting | undefined;
  readonly #emit: (event: AgentEventBody) => void;

  constructor(emit: (event: AgentEventBody) => void) {
    this.#emit = emit;
  }

  get question(): string | undefined {
    return this.#waiting?.question;
  }

  /** Resolves with the reply as typed; rejects with the reason of the signal. */
  ask(
    question: string,
    options: { readonly signal: AbortSignal; readonly choices?: readonly Choice[] },
  ): Promise<string> {
    const { signal, choices } = options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const settle = () => {
        signal.removeEventListener("abort", onAbort);
        if (this.#waiting === waiting) this.#waiting = undefined;
      };
      const onAbort = () => {
        settle();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        question,
        answer: (text) => {
          settle();
          resolve(text);
        },
      };
      this.#waiting = waiting;
      signal.addEventListener("abort", onAbort, { once: true });
      this.#emit({
        type: "status",
        phase: "prompt",
        message: question,
        ...(choices !== undefined && { choices }),
      });
    });
  }

  /** Returns whether anybody had asked. */
  answer(text: string): boolean {
    if (this.#waiting === undefined) return false;
    this.#waiting.answer(text);
    return true;
  }
}
