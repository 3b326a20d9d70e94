export interface FileWatch {
  /** Called before files are written or deleted; absolute paths. */
  willWrite(...paths: readonly string[]): Promise<void>;
  /** Called before a command that may change any file. */
  willRunCommand(): Promise<void>;
}

/** "both" includes files, conversation, and stored memories. */
export type UndoScope = "files" | "conversation" | "both";

export interface UndoableTurn {
  readonly turnId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly text: string;
  readonly files: number;
  readonly remembered: number;
}

export interface ChangedFile {
  readonly path: string;
  /** Unified diff; empty for binary files. */
  readonly diff: string;
}

export interface UndoRequest {
  readonly turnId?: string;
  readonly scope?: UndoScope;
}

export interface UndoReport {
  readonly text: string;
  readonly turns: number;
  readonly files: readonly string[];
  readonly notKept: readonly string[];
  readonly changedAfter?: readonly string[];
  /** Unconfined commands ran, which may have had effects outside of the project. */
  readonly outside?: boolean;
  readonly remembered: number;
  readonly memoryKept?: string;
  readonly conversation: boolean;
}

export interface Undo {
  turns(): Promise<readonly UndoableTurn[]>;
  /**
   * Undoes a turn and all later ones; by default the last. Throws conflict, with the difference, if
   * a file was changed since; nothing is changed then.
   */
  undo(wish?: UndoRequest): Promise<UndoReport>;
  redo(): Promise<UndoReport>;
}

export interface WrittenLine {
  readonly path: string;
  readonly text: string;
}

export interface LineWriters {
  writerOf(
    line: WrittenLine,
  ): { readonly session: string; readonly at: string; readonly prompt: string } | undefined;
}
