import type { OutputOf } from "../../memory/index.ts";

export interface Teller {
  /** A line of information (`status info`). */
  info(message: string): void;
  /** Something was done (`status success`). */
  success(message: string): void;
  /** A longer printable text (`status print`). */
  print(text: string): void;
  /** Something failed, the thread stays usable (`error`). */
  error(message: string, code?: string): void;
  /**
   * Draws something in the surface's own way. A surface that can only print has none: what would be
   * shown is printed there.
   */
  show?(view: View): void;
}

export type View =
  | { readonly kind: "recall"; readonly query: string; readonly found: OutputOf<"recall"> }
  | { readonly kind: "help"; readonly commands: readonly CommandHelp[] };

export interface CommandHelp {
  /** Words after the slash. */
  readonly name: string;
  readonly summary: string;
  /** `<text>` or `[id]`. */
  readonly usage?: string;
}

export interface Dialogue extends Teller {
  /**
   * Shows `question` (`status prompt`) and waits for the next message on the thread, as typed.
   * Rejects with the reason of the flow's abort signal when the person cancels.
   */
  ask(question: string): Promise<string>;
  /**
   * Like `ask`, where most answers are one of `choices`: a surface with keys may offer them as such.
   * Answers with the key of a choice or with other text, as typed. Without it, `ask` is used.
   */
  choose?(question: string, choices: readonly Choice[]): Promise<string>;
  /** Shows how far a list of tasks has come, replacing what it showed before. */
  progress?(items: readonly ProgressItem[]): void;
}

export interface Choice {
  /** What a person types: `y`. */
  readonly key: string;
  /** What it does, in a few words: `save`. */
  readonly label: string;
}

export interface ProgressItem {
  /** Unique in the list. */
  readonly id: string;
  readonly label: string;
  readonly state: "waiting" | "running" | "done" | "failed";
}
