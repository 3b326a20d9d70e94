import type { Connect } from "./session/connection.ts";
import type { Setup } from "./session/session-port.ts";
import type { ResumeWish } from "./session/terminal-session.ts";

export interface TerminalOptions {
  /** Opens config, memory and host; called after the first prompt is on screen. */
  readonly connect: Connect;
  /** Absolute. */
  readonly projectRoot: string;
  /** Absolute path of the folder that keeps the input history; asked for after the first prompt. */
  readonly dataDir: () => Promise<string>;
  /** The project as the status line names it: `~/src/app`. */
  readonly cwdLabel: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** NO_COLOR is set. */
  readonly noColor: boolean;
  /** The terminal can only print line after line: TERM is `dumb`, or this is a CI job. */
  readonly isDumb: boolean;
  /** Run once with this and exit. */
  readonly prompt?: string;
  /** Print events as JSON lines; implies running once. */
  readonly json?: boolean;
  readonly resume?: ResumeWish;
  /** Offered when there is no model, and as `/setup`. */
  readonly setup?: Setup;
}
