import { messageOf } from "../../shared/errors.ts";
import type { InputHistory } from "./input-history.ts";
import type { ScreenPort } from "./screen-port.ts";

/** The history of what was typed, on the screen and in its file; what goes wrong with it is told and no more. */
export class TypedHistory {
  readonly #screen: Pick<ScreenPort, "dispatch" | "note">;
  readonly #history: InputHistory;

  constructor(screen: Pick<ScreenPort, "dispatch" | "note">, history: InputHistory) {
    this.#screen = screen;
    this.#history = history;
  }

  /** Returns a sentence when there is no history to be had. */
  async load(): Promise<string | undefined> {
    try {
      this.#screen.dispatch({ type: "history", entries: await this.#history.load() });
      return undefined;
    } catch (error) {
      return `Earlier input is not available: ${messageOf(error)}`;
    }
  }

  async keep(text: string): Promise<void> {
    try {
      await this.#history.append(text);
    } catch (error) {
      this.#screen.note("info", `The input history was not written: ${messageOf(error)}`);
    }
  }
}
