import type { Environment } from "../shared/environment.ts";
import type { Connect } from "./session/connection.ts";
import type { Setup } from "./session/session-port.ts";
import type { ResumeWish } from "./session/sessions.ts";
import type { Backdrop } from "./theme/backdrop.ts";
import type { Theme } from "./theme/themes.ts";

/** How a run without a screen prints: its text, one JSON object at its end, or a line an event. */
export type OutputFormat = "text" | "json" | "stream-json";

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
  /** Of the person's own editor. */
  readonly environment?: Environment;
  /** It has 256 colours; absent: it has 16, or that is not known. */
  readonly hasManyColors?: boolean;
  /** What is behind the text, where the environment says it. */
  readonly background?: Backdrop;
  /** Keeps a theme for the next time; returns the file that it stands in. */
  readonly saveTheme?: (theme: Theme) => Promise<string>;
  /** The terminal can only print line after line: TERM is `dumb`, or this is a CI job. */
  readonly isDumb: boolean;
  /** Line below line and in words, for a screen reader. */
  readonly screenReader?: boolean;
  /** Run once with this and exit. */
  readonly prompt?: string;
  /** Run once, with what is piped in where there is no `prompt`. */
  readonly once?: boolean;
  /** Of a run without a screen; default: text. */
  readonly outputFormat?: OutputFormat;
  readonly resume?: ResumeWish;
  /** Offered when there is no model, and as `/setup`. */
  readonly setup?: Setup;
}
