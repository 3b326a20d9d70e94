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
}
