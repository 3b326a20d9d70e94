import type { Environment } from "../shared/environment.ts";
import type { Connect } from "./session/connection.ts";
import type { ResumeWish, Setup } from "./session/local-commands.ts";
import type { Backdrop, Theme } from "./theme/paint-of.ts";

export type OutputFormat = "text" | "json" | "stream-json";

export interface TerminalOptions {
  readonly connect: Connect;
  readonly projectRoot: string;
  readonly dataDir: () => Promise<string>;
  /** The project as the status line names it: `~/src/app`. */
  readonly cwdLabel: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly noColor: boolean;
  readonly environment?: Environment;
  /** It has 256 colours; absent: it has 16, or that is not known. */
  readonly hasManyColors?: boolean;
  readonly background?: Backdrop;
  readonly saveTheme?: (theme: Theme) => Promise<string>;
  /** The terminal can only print line after line: TERM is `dumb`, or this is a CI job. */
  readonly isDumb: boolean;
  readonly screenReader?: boolean;
  readonly prompt?: string;
  /** Run once, with what is piped in where there is no `prompt`. */
  readonly once?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly resume?: ResumeWish;
  readonly setup?: Setup;
}
