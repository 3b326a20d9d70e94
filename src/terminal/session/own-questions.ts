import type { Choice } from "../../agent/index.ts";
import { userItem } from "../state/reduce.ts";
import type { FinishedItem, PendingPrompt } from "../state/screen.ts";
import type { ScreenPort } from "./screen-port.ts";

/** Questions of the screen itself, which no thread hears of. */
export class OwnQuestions {
  readonly #session: ScreenPort;
  #settle: ((text: string | undefined) => void) | undefined;

  constructor(session: ScreenPort) {
    this.#session = session;
  }

  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  ask(question: string, choices: readonly Choice[]): Promise<string | undefined> {
    return this.#open({ question, choices, selected: 0 });
  }

  /** Like `ask`, for what nobody else may read; Enter alone answers with "" where it is optional. */
  askSecret(question: string, isOptional = false): Promise<string | undefined> {
    return this.#open({ question, choices: [], selected: 0, isSecret: true, isOptional });
  }

  answer(text: string): void {
    this.#settle?.(text);
  }

  leave(): void {
    this.#settle?.(undefined);
  }

  #open(prompt: PendingPrompt): Promise<string | undefined> {
    const session = this.#session;
    session.dispatch({ type: "append", items: [{ kind: "question", text: prompt.question }] });
    session.show({ ...session.screen, prompt });
    return new Promise((resolve) => {
      this.#settle = (text) => {
        this.#settle = undefined;
        session.show({ ...session.screen, prompt: undefined });
        if (text !== undefined)
          session.dispatch({ type: "append", items: [answerItem(prompt, text)] });
        resolve(text);
      };
    });
  }
}

export function answerItem(prompt: PendingPrompt, text: string): FinishedItem {
  if (prompt.isSecret === true) return userItem(text === "" ? "none" : "•••");
  const chosen = prompt.choices.find(({ key }) => key === text);
  return userItem(chosen?.label ?? text);
}
