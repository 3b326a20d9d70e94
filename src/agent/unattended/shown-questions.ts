import { statSync } from "node:fs";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { QuestionDesk } from "../permission/question-desk.ts";
import { AnswerFiles } from "./answer-files.ts";
import { listNights, type NightPlace, readBegunNight, workerOf } from "./night-place.ts";
import type { NightQuestion, NightState } from "./night-state.ts";

export interface ShownQuestionsOptions {
  readonly dataDir: string;
  readonly project: string;
  readonly desk: QuestionDesk;
  readonly logger: Logger;
}

/** Between two looks at what runs have written down; milliseconds. */
const LOOK_MS = 1_000;

/**
 * What runs of the project that other processes work on ask for, put to the people who answer here. Their
 * answers go to the run as those of `cairn run answer` do, and the first one from wherever counts.
 */
export class ShownQuestions {
  readonly #options: ShownQuestionsOptions;
  readonly #open = new Map<string, AbortController>();
  /** What was read of a run, until its journal grows. */
  readonly #read = new Map<string, { readonly size: number; readonly state: NightState }>();
  readonly #timer: NodeJS.Timeout;
  #lastProblem = "";

  constructor(options: ShownQuestionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const open of this.#open.values()) open.abort();
    this.#open.clear();
  }

  #look(): void {
    const { desk, logger } = this.#options;
    if (!desk.canAsk) return;
    try {
      this.#show();
      this.#lastProblem = "";
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#lastProblem)
        logger.warn(`What runs ask for cannot be read: ${problem}`);
      this.#lastProblem = problem;
    }
  }

  #show(): void {
    const { dataDir, project } = this.#options;
    const asked = new Set<string>();
    for (const place of listNights(dataDir, project)) {
      const worker = workerOf(place);
      // One of this process asks by itself.
      if (worker === undefined || worker === process.pid) continue;
      const state = this.#stateOf(place);
      // One that has only just been made is looked at again.
      for (const question of state?.questions ?? []) {
        if (question.answer !== undefined) continue;
        const name = `run-${place.id}-${question.question}`;
        asked.add(name);
        if (state !== undefined && !this.#open.has(name))
          this.#ask(name, place, { state, question });
      }
    }
    for (const [name, open] of this.#open) {
      if (asked.has(name)) continue;
      open.abort();
      this.#open.delete(name);
    }
  }

  #ask(
    name: string,
    place: NightPlace,
    { state, question }: { readonly state: NightState; readonly question: NightQuestion },
  ): void {
    const { desk, logger } = this.#options;
    const ended = new AbortController();
    this.#open.set(name, ended);
    const { title, reason, task, text = "", kind = "permission", choices = [] } = question;
    const isWords = kind === "words";
    const asked = {
      ...{ threadId: name, callId: question.question, title, reason, always: [] },
      tool: isWords ? "ask_user" : "unattended",
      ...(text !== "" && { command: text }),
      ...(isWords && { wants: "words" as const }),
      ...(choices.length > 0 && { choices }),
      run: { id: place.id, task, name: state.tasks.get(task)?.task.name ?? task },
    };
    desk.ask(asked, ended.signal).then(
      ({ decision, message }) => {
        try {
          const said = message === undefined ? {} : { message };
          new AnswerFiles(place.answers).put(question.question, { decision, ...said });
        } catch (error) {
          logger.error(`An answer to the run ${place.id} could not be kept: ${messageOf(error)}`);
          // It is asked again.
          this.#open.delete(name);
        }
      },
      // Answered elsewhere, or the run is over.
      () => undefined,
    );
  }

  #stateOf(place: NightPlace): NightState | undefined {
    const { size } = statSync(place.journal);
    const known = this.#read.get(place.id);
    if (known?.size === size) return known.state;
    const state = readBegunNight(place);
    if (state !== undefined) this.#read.set(place.id, { size, state });
    return state;
  }
}
