import { endWithParent } from "./end-with-parent.ts";
import { messageOf } from "./errors.ts";

/** What `AskedProcess` sends: a question, or that nobody waits for its answer any more. */
export interface AskedQuestion {
  readonly id: number;
  readonly question?: unknown;
  readonly isCancelled?: true;
}

/** What it gets: an answer, or why there is none. */
export interface AnsweredQuestion {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/**
 * Answers the questions of `AskedProcess`, several at a time, until the asking process ends. A question's signal
 * aborts when nobody waits for its answer any more.
 */
export function answerQuestions<Question>(
  answer: (question: Question, signal: AbortSignal) => Promise<unknown>,
): void {
  endWithParent();
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
    const { id, question, isCancelled } = message as AskedQuestion;
    if (isCancelled === true) answering.get(id)?.abort();
    else void answerOne(id, question as Question);
  });
}
