import { type Signal, signal } from "@preact/signals";

const KEY = "cairn-preferences";

export interface Choices {
  readonly theme: "system" | "light" | "dark";
  /**
   * True if single letters trigger actions. Users who dictate or have tremors may turn this off.
   */
  readonly singleKeys: boolean;
}

const DEFAULTS: Choices = { theme: "system", singleKeys: true };

export class Preferences {
  readonly choices: Signal<Choices>;

  constructor() {
    this.choices = signal({ ...DEFAULTS, ...stored() });
    this.#show();
  }

  choose(change: Partial<Choices>): void {
    this.choices.value = { ...this.choices.peek(), ...change };
    localStorage.setItem(KEY, JSON.stringify(this.choices.peek()));
    this.#show();
  }

  #show(): void {
    document.documentElement.dataset.theme = this.choices.peek().theme;
  }
}

function stored(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
