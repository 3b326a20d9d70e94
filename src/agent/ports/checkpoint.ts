/** Told by a run before its tools change files. */
export interface FileWatch {
  /** One file is about to be written; absolute path. */
  willWrite(path: string): Promise<void>;
  /** Anything in the project may be changed: a command is about to run. */
  willRunCommand(): Promise<void>;
}

/** "both" is everything: files, conversation, and what was remembered. */
export type UndoScope = "files" | "conversation" | "both";

/** A message of the user with what came of it. */
export interface UndoableTurn {
  readonly turnId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** First line of what the user said. */
  readonly text: string;
  /** Files that it changed. */
  readonly files: number;
  /** Writes to memory. */
  readonly remembered: number;
}

export interface UndoWish {
  /** By default the last. */
  readonly turnId?: string;
  /** "both" by default. */
  readonly scope?: UndoScope;
}

export interface UndoReport {
  /** Of the messages that were taken back or brought again, the oldest. */
  readonly text: string;
  readonly turns: number;
  /** Paths that were written or removed. */
  readonly files: readonly string[];
  /** What was changed and stays as it is: too large, not looked through, or gone on with since. */
  readonly notKept: readonly string[];
  /** Paths that were changed after the turns, by what they left running or by somebody else. */
  readonly changedAfter?: readonly string[];
  /** Commands ran that nothing held inside of the project. */
  readonly outside?: boolean;
  /** Writes to memory that were taken back or brought again. */
  readonly remembered: number;
  /** Why memory stays as it is. */
  readonly memoryKept?: string;
  /** Whether the conversation was cut back, too. */
  readonly conversation: boolean;
}

/** Taking back what the turns of a thread did. */
export interface Undo {
  /** Those that can be taken back, oldest first. */
  turns(): Promise<readonly UndoableTurn[]>;
  /**
   * Takes back a turn with all that followed it; by default the last. Throws conflict, with the
   * difference, when a file was changed since; then nothing was changed.
   */
  undo(wish?: UndoWish): Promise<UndoReport>;
  /** Brings back what was undone last, as long as nothing else was said. */
  redo(): Promise<UndoReport>;
}

export interface WrittenLine {
  /** Absolute, and real. */
  readonly path: string;
  readonly text: string;
}

/** What of a project's turns tells who wrote a line. */
export interface LineWriters {
  /** The turn that wrote a line, as far as turns are kept. */
  writerOf(
    line: WrittenLine,
  ): { readonly session: string; readonly at: string; readonly prompt: string } | undefined;
}
