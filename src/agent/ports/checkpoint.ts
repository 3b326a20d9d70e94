export interface FileWatch {
  /** These files are about to be written or deleted; absolute paths. */
  willWrite(...paths: readonly string[]): Promise<void>;
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
  readonly text: string;
  /** Files that it changed. */
  readonly files: number;
  /** Writes to memory. */
  readonly remembered: number;
}

export interface ChangedFile {
  /** Relative to the project. */
  readonly path: string;
  /** Unified diff; empty for what is not text. */
  readonly diff: string;
}

export interface UndoWish {
  /** By default the last. */
  readonly turnId?: string;
  /** "both" by default. */
  readonly scope?: UndoScope;
}

export interface UndoReport {
  readonly text: string;
  readonly turns: number;
  /** Paths that were written or removed. */
  readonly files: readonly string[];
  readonly notKept: readonly string[];
  readonly changedAfter?: readonly string[];
  /** Commands ran that nothing held inside of the project. */
  readonly outside?: boolean;
  readonly remembered: number;
  readonly memoryKept?: string;
  /** True if the conversation was cut back, too. */
  readonly conversation: boolean;
}

/** Taking back what the turns of a thread did. */
export interface Undo {
  turns(): Promise<readonly UndoableTurn[]>;
  /**
   * Takes back a turn with all that followed it; by default the last. Throws conflict, with the
   * difference, when a file was changed since; then nothing was changed.
   */
  undo(wish?: UndoWish): Promise<UndoReport>;
  redo(): Promise<UndoReport>;
}

export interface WrittenLine {
  /** Absolute, and real. */
  readonly path: string;
  readonly text: string;
}

export interface LineWriters {
  writerOf(
    line: WrittenLine,
  ): { readonly session: string; readonly at: string; readonly prompt: string } | undefined;
}
