import { type CommandLimits, limitsText } from "./command-limits.ts";

interface WrappedCommand {
  readonly command: string;
  /** To be called once it has ended; answers with what is to be said about it, mostly nothing. */
  readonly finished?: () => Promise<string>;
}

export interface WrapOptions {
  /** Leave the network open for this command, because a person or a rule allowed it. */
  readonly network?: boolean;
  /** Name of the one credential that this command may read. */
  readonly credential?: string;
  /** Commands of one scope share their temporary files: those of a thread, of its hooks. */
  readonly scope?: string;
  readonly readOnly?: boolean;
  /** A command of cairn's own that writes nothing, whatever it may: nobody looks for what it made. */
  readonly makesNothing?: boolean;
  readonly limits?: CommandLimits;
}

/** Makes of a shell command the one that is run; without a sandbox, itself. */
export type CommandWrapper = (command: string, options?: WrapOptions) => Promise<WrappedCommand>;

export const unwrapped: CommandWrapper = async (command, options) => ({
  command: `${options?.limits === undefined ? "" : limitsText(options.limits, "sh")}${command}`,
});
