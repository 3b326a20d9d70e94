/**
 * How a flow talks with a person. The terminal and the server implement it, so a slash command is
 * written once.
 */
export interface Dialogue {
  /** A line of information (`status info`). */
  info(message: string): void;
  /** Something was done (`status success`). */
  success(message: string): void;
  /** A longer printable text (`status print`). */
  print(text: string): void;
  /** Something failed, the thread stays usable (`error`). */
  error(message: string, code?: string): void;
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
