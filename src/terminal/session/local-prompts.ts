import type { Choice } from "../../agent/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { completeModels, findModelQuery, type ModelQuery } from "../completion/complete-path.ts";
import { type Action, userItem } from "../state/reduce.ts";
import type { FinishedItem, NoteTone, PendingPrompt, PickerItem, Screen } from "../state/screen.ts";
import { type Backdrop, choosePaint, type TerminalColors, type Theme } from "../theme/paint.ts";
import type { Connection } from "./connection.ts";

export class ThemeControl {
  readonly colors: TerminalColors;
  readonly #session: ScreenPort;
  #theme: Theme = "auto";
  #found: Backdrop | undefined;

  constructor(session: ScreenPort, colors: TerminalColors) {
    this.#session = session;
    this.colors = colors;
  }

  get theme(): Theme {
    return this.#theme;
  }

  choose(theme: Theme): void {
    this.#theme = theme;
    this.#paint();
  }

  noteBackground(found: Backdrop): void {
    this.#found = found;
    this.#paint();
  }

  #paint(): void {
    const paint = choosePaint(this.colors, this.#theme, this.#found);
    this.#session.dispatch({ type: "paint", paint });
  }
}

export interface ScreenPort {
  readonly screen: Screen;
  /** Undefined during startup. */
  readonly connection: Connection | undefined;
  dispatch(action: Action): void;
  note(tone: NoteTone, text: string): void;
  show(screen: Screen): void;
}

export class LocalQuestions {
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

  /** Like `ask`, with masked input; Enter returns "" if optional. */
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
          session.dispatch({ type: "append", items: [createAnswerItem(prompt, text)] });
        resolve(text);
      };
    });
  }
}

export function createAnswerItem(prompt: PendingPrompt, text: string): FinishedItem {
  if (prompt.isSecret === true) return userItem(text === "" ? "none" : "•••");
  const chosen = prompt.choices.find(({ key }) => key === text);
  return userItem(chosen?.label ?? text);
}

const MODELS_CACHE_TTL_MS = 300_000;

export class Models {
  readonly #session: ScreenPort;
  readonly #now: () => number;
  #list: { readonly names: Promise<readonly string[]>; readonly at: number } | undefined;

  constructor(session: ScreenPort, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  forget(): void {
    this.#list = undefined;
  }

  async pick(): Promise<void> {
    const { model } = this.#session.screen.status;
    try {
      const names = await this.#names();
      if (names.length === 0) throw new Error("The provider lists no models.");
      const others = names.filter((name) => name !== model);
      const current: PickerItem[] =
        model === undefined ? [] : [{ id: model, label: model, detail: "now" }];
      const items = [...current, ...others.map((name) => ({ id: name, label: name, detail: "" }))];
      const picker = { kind: "models", items, all: items, query: "", selected: 0 } as const;
      this.#session.dispatch({ type: "picker", picker });
    } catch (error) {
      const currentModel = model === undefined ? "" : `The model is ${model}. `;
      const hint = "/model <name> changes it for this session.";
      this.#session.note("info", `${currentModel}${hint} ${messageOf(error)}`);
    }
  }

  async offer(query: ModelQuery): Promise<void> {
    const names = await this.#names().catch(() => []);
    const { text, cursor } = this.#session.screen.editor;
    const current = findModelQuery(text, cursor);
    if (current?.typed !== query.typed) return;
    this.#session.dispatch({ type: "completion", completion: completeModels(current, names) });
  }

  #names(): Promise<readonly string[]> {
    const host = this.#session.connection?.host;
    if (host === undefined) return Promise.resolve([]);
    const isOld = this.#list === undefined || this.#now() - this.#list.at > MODELS_CACHE_TTL_MS;
    if (isOld) {
      const names = host.models();
      this.#list = { names, at: this.#now() };
      names.catch(() => this.forget());
    }
    return this.#list?.names ?? Promise.resolve([]);
  }
}
