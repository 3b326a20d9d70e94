import type { OutputOf } from "../../memory/index.ts";

export interface MessageOutput {
  /** A line of information (`status info`). */
  info(message: string): void;
  success(message: string): void;
  print(text: string): void;
  /** The thread stays usable. */
  error(message: string, code?: string): void;
  /** Draws in the surface's own way; absent if the surface can only print. */
  show?(view: View): void;
}

export type View =
  | { readonly kind: "recall"; readonly query: string; readonly found: OutputOf<"recall"> }
  | { readonly kind: "help"; readonly commands: readonly CommandHelp[] };

export interface CommandHelp {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
}

export interface Dialogue extends MessageOutput {
  /** Resolves with the next message on the thread; rejects with the abort reason. */
  ask(question: string): Promise<string>;
  /**
   * Like `ask`, for a question with `choices`, which a surface may offer as keys. Resolves with the
   * key of a choice or other typed text.
   */
  choose?(question: string, choices: readonly Choice[]): Promise<string>;
  /** Shows progress of a list of tasks, replacing the former state. */
  progress?(items: readonly ProgressItem[]): void;
}

export interface Choice {
  readonly key: string;
  readonly label: string;
}

export interface ProgressItem {
  readonly id: string;
  readonly label: string;
  readonly state: "waiting" | "running" | "done" | "failed";
}
