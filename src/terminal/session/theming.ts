import type { Backdrop } from "../theme/backdrop.ts";
import { paintOf, type TerminalColors } from "../theme/paint-of.ts";
import type { Theme } from "../theme/themes.ts";
import type { ScreenPort } from "./screen-port.ts";

export class Theming {
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
    const paint = paintOf(this.colors, this.#theme, this.#found);
    this.#session.dispatch({ type: "paint", paint });
  }
}
