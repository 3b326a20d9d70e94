import { createHash } from "node:crypto";
import type { Choice } from "../ports/dialogue.ts";
import type { PermissionAnswer } from "../ports/permission-question.ts";
import type { AnswerFiles } from "./answer-files.ts";
import type { Journal } from "./journal.ts";
import type { NightState } from "./night-state.ts";
import type { NightTask } from "./night-task.ts";
import type { Notify } from "./notify.ts";

/** Something that only a person can say. */
export interface NightAsk {
  readonly task: NightTask;
  /** A call that wants consent, or words that the model asks for. */
  readonly kind: "permission" | "words";
  /** Of the call; the title begins with it. */
  readonly tool?: string;
  /** One line. */
  readonly title: string;
  /** Whole: the command, the difference, the question. */
  readonly text: string;
  /** Why it asks; empty: because of the mode. */
  readonly reason: string;
  readonly choices?: readonly Choice[];
}

export interface OpenQuestion extends NightAsk {
  readonly id: string;
}

/** Where a person may be reached while the run goes on; of words, the answer is `message`. */
export type Asker = (question: OpenQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;

export interface QuestionsOptions {
  readonly state: NightState;
  readonly journal: Journal;
  readonly files: AnswerFiles;
  /** Undefined: answers come by files alone. */
  readonly asker: Asker | undefined;
  readonly notify: Notify;
  readonly tell: (line: string) => void;
  /** A task waits for a person, or does no longer. */
  readonly onWaiting: (task: string, isWaiting: boolean) => void;
}

/** Questions of all tasks: each waits, however long, while other tasks go on. */
export class Questions {
  readonly #options: QuestionsOptions;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Resolves with the first answer, from wherever; rejects with the signal's reason. */
  async ask(asked: NightAsk, signal: AbortSignal): Promise<PermissionAnswer> {
    const { journal, files, asker, tell, onWaiting } = this.#options;
    const { task, title, reason, kind, text, choices } = asked;
    const question: OpenQuestion = { ...asked, id: this.#idOf(asked) };
    const { id } = question;
    if (!this.#options.state.questions.some((known) => known.question === id)) {
      const shown = { title, reason, kind, text };
      const offered = choices === undefined ? {} : { choices: [...choices] };
      journal.add({ is: "asked", task: task.id, question: id, ...shown, ...offered });
    }
    const why = reason === "" ? "" : ` (${reason})`;
    tell(`[${task.id}] asks: ${title}${why}; \`cairn run answer ${id} yes\`, or \`no\``);
    this.#sendOut(question);
    const done = new AbortController();
    const ended = AbortSignal.any([signal, done.signal]);
    onWaiting(task.id, true);
    try {
      const ways = [
        files.take(id, ended),
        ...(asker === undefined ? [] : [asker(question, ended)]),
      ];
      const answer = await Promise.any(ways).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      const { decision, message } = answer;
      const words = message === undefined || message === "" ? "" : `: ${message}`;
      journal.add({ is: "answered", task: task.id, question: id, answer: `${decision}${words}` });
      tell(`[${task.id}] was answered: ${decision}${words}`);
      return answer;
    } finally {
      done.abort();
      onWaiting(task.id, false);
    }
  }

  #sendOut({ task, title, text, reason, id }: OpenQuestion): void {
    const { state, journal, notify } = this.#options;
    const whole = [text === "" ? title : text, reason, `cairn run answer ${id} yes|no`];
    void notify({
      kind: "question",
      title: `cairn asks: ${task.name}`,
      text: whole.filter((line) => line !== "").join("\n"),
      project: state.options.project,
      run: state.id,
    }).then((problem) => {
      if (problem !== undefined) journal.add({ is: "noted", text: problem });
    });
  }

  /**
   * The same for the same question after a restart, so that an answer given meanwhile is found; another
   * once it was answered, so that no answer counts twice.
   */
  #idOf({ task, kind, title, text }: NightAsk): string {
    const sign = createHash("sha256")
      .update(JSON.stringify([task.id, kind, title, text]))
      .digest("hex")
      .slice(0, 6);
    const answered = this.#options.state.questions.filter(
      (known) => known.question.startsWith(`${sign}-`) && known.answer !== undefined,
    );
    return `${sign}-${answered.length + 1}`;
  }
}
