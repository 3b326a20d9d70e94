import type { Readable } from "node:stream";
import type { App, AppOptions } from "../app/index.ts";
import type { Reader } from "../config/index.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Once, Operation } from "../memory/index.ts";

/** The world as a command sees it. */
export interface CommandLine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly logger: Logger;
  /** Operations besides the built-in ones. */
  readonly furtherOperations: readonly Operation[];
  /** Takes variables from what other processes see of this one; only the program itself does that. */
  readonly hideEnvironment?: (names: readonly string[]) => boolean;
  /** Where a process that stays runs the command for the one that was started. */
  readonly stays?: StayingProcess;
  /** Under which a write is done once, for a process that has asked before and learned nothing. */
  readonly once?: () => Once;
  /** Who works with what the command opens. */
  readonly reader: Reader;
  /** Aborts when nobody reads the output any more; in an interruptible command on Ctrl-C too. */
  readonly signal: AbortSignal;
}

/** What is otherwise where a command ends, and its process does not. */
export interface StayingProcess {
  /** The program's parts, kept for the next command. */
  readonly openApp: (options: AppOptions) => App;
  /** Does what nobody waits for, once the command is answered. */
  readonly later: (work: () => Promise<void>) => void;
  /** Shows a long text on the terminal of who asks. */
  readonly showPage: (text: string, pager: string) => void;
  /** Aborts when nobody waits for the command any longer. */
  readonly signal: AbortSignal;
}

/** The world as it is for every command: what each says of itself is still left out. */
export type ProgramLine = Omit<CommandLine, "reader">;

/** The world, before anybody can break off what is done. */
export type QuickLine = Omit<ProgramLine, "signal">;

/** Options that every command takes. */
export interface GlobalOptions {
  readonly db?: string;
  readonly dataDir?: string;
  readonly database?: string;
  readonly json?: boolean;
  /** auto, always or never. */
  readonly color?: string;
  /** false: print long output at once. */
  readonly pager?: boolean;
}
