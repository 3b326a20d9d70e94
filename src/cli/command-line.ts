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
  readonly furtherOperations: readonly Operation[];
  /** Hides variables from other processes that inspect this one; only the main program sets this. */
  readonly hideEnvironment?: (names: readonly string[]) => boolean;
  /** Set if a long-lived process runs the command for the process that was started. */
  readonly stays?: StayingProcess;
  /** Gives writes names under which they happen once, for a process that asked before and got no answer. */
  readonly once?: () => Once;
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

export interface StayingProcess {
  readonly openApp: (options: AppOptions) => App;
  readonly later: (work: () => Promise<void>) => void;
  /** Shows a long text on the asking process's terminal. */
  readonly showPage: (text: string, pager: string) => void;
  readonly signal: AbortSignal;
}

/** A command line before the command and its reader are known. */
export type ProgramLine = Omit<CommandLine, "reader">;

/** A command line before anything can be interrupted. */
export type QuickLine = Omit<ProgramLine, "signal">;

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
