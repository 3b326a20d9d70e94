import type { Environment } from "../shared/environment.ts";
import type { Connect } from "./session/connection.ts";
import type { ResumeRequest, Setup } from "./session/local-commands.ts";
import type { Backdrop, Theme } from "./theme/paint.ts";

export type OutputFormat = "text" | "json" | "stream-json";

export interface TerminalOptions {
  readonly connect: Connect;
  readonly projectRoot: string;
  readonly dataDir: () => Promise<string>;
  /** Displayed project path, such as `~/src/app`. */
  readonly cwdLabel: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly noColor: boolean;
  readonly environment?: Environment;
  /** 256 colors; absent if 16 or unknown. */
  readonly hasManyColors?: boolean;
  readonly background?: Backdrop;
  readonly saveTheme?: (theme: Theme) => Promise<string>;
  /** Only prints lines: TERM is `dumb`, or CI. */
  readonly isDumb: boolean;
  readonly screenReader?: boolean;
  readonly prompt?: string;
  /** Runs once, with piped input if `prompt` is absent. */
  readonly once?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly resume?: ResumeRequest;
  readonly setup?: Setup;
}
