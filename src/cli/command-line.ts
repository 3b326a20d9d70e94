import type { Readable } from "node:stream";
import type { App, AppOptions } from "../app/index.ts";
import type { Reader } from "../config/index.ts";
import type { Once, Operation } from "../memory/index.ts";
import type { Logger } from "../shared/logger.ts";

/** The process and its surroundings as a command sees them. */
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
  /** Hides variables from other processes that inspect this one; only the main program sets this. */
  readonly hideEnvironment?: (names: readonly string[]) => boolean;
  /** Set if a long-lived process runs the command for the process that was started. */
  readonly stays?: StayingProcess;
  /** Gives writes names under which they happen once, for a process that asked before and got no answer. */
  readonly once?: () => Once;
  /** Who works with what the command opens. */
  readonly reader: Reader;
  /** Aborts when nobody reads the output any more, and on Ctrl-C in an interruptible command. */
  readonly signal: AbortSignal;
}

/** What differs if a command ends but its process goes on. */
export interface StayingProcess {
  /** The program's parts, kept for the next command. */
  readonly openApp: (options: AppOptions) => App;
  /** Runs work that nobody waits for, after the command was answered. */
  readonly later: (work: () => Promise<void>) => void;
  /** Shows a long text on the asking process's terminal. */
  readonly showPage: (text: string, pager: string) => void;
  /** Aborts when nobody waits for the command any longer. */
  readonly signal: AbortSignal;
}

/** A command line before the command and its reader are known. */
export type ProgramLine = Omit<CommandLine, "reader">;

/** A command line before anything can be interrupted. */
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
