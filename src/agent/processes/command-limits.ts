import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";

export interface CommandLimits {
  readonly memoryMb: number;
  /** Threads count as well. */
  readonly processes: number;
  readonly processorSeconds: number;
  readonly fileMb: number;
}

export type CommandLimit = keyof CommandLimits;

const MEBIBYTE = 1024 * 1024;

/** Large enough for builds and servers, small enough that the machine still answers. */
const STANDARD_LIMITS = {
  processes: 2_048,
  processorSeconds: 14_400,
  fileMb: 10_240,
} as const;

/** Three quarters of what this machine, or the container that this runs in, has. */
function standardMemoryMb(): number {
  const limit = constrainedMemory();
  const total = limit === undefined || limit === 0 ? totalmem() : Math.min(limit, totalmem());
  return Math.max(1, Math.floor((0.75 * total) / MEBIBYTE));
}

type GivenLimits = Partial<Omit<CommandLimits, "memoryMb">> & {
  readonly memoryMb?: number | undefined;
};

export function commandLimits({
  memoryMb = standardMemoryMb(),
  ...given
}: GivenLimits = {}): CommandLimits {
  return { ...STANDARD_LIMITS, ...given, memoryMb };
}

const PROCESSES_MORE = 64;
/** The same for seconds; and between the signal that a program may handle and that which it may not. */
const SECONDS_MORE = 10;

/** Bash in a process namespace of its own, or `sh`. */
export type LimitedPlace = "sandbox" | "sh";

/**
 * Shell text that sets what the system itself limits, for a process each; on the first line of a
 * command. A lower limit that is there already stays. Bash counts in blocks of 1024 bytes, `sh` in
 * blocks of 512. In the sandbox only its own processes count; elsewhere the number of processes would
 * be that of all the user's, which nobody can set.
 */
export function limitsText(
  { fileMb, processes, processorSeconds }: CommandLimits,
  place: LimitedPlace,
): string {
  const isCounted = place === "sandbox" && process.platform === "linux";
  const lines = [
    `ulimit -f ${fileMb * (place === "sh" ? 2048 : 1024)}`,
    `ulimit -S -t ${processorSeconds + SECONDS_MORE}`,
    `ulimit -H -t ${processorSeconds + 2 * SECONDS_MORE}`,
    ...(isCounted ? [`ulimit -u ${processes + PROCESSES_MORE}`] : []),
  ];
  return lines.map((line) => `${line} 2>/dev/null; `).join("");
}

export function overLimit(limit: CommandLimit, limits: CommandLimits, taken?: number): string {
  const [what, unit] = WORDS[limit];
  const had = taken === undefined ? "" : ` (it had ${Math.ceil(taken)})`;
  return `Ended by cairn's limit: more than ${limits[limit]} ${unit} ${what}${had}.`;
}

const WORDS: Readonly<Record<CommandLimit, readonly [string, string]>> = {
  memoryMb: ["of memory for a command and what it starts", "MB"],
  processes: ["of a command at the same time", "processes and threads"],
  processorSeconds: ["of processor time for a command and what it starts", "seconds"],
  fileMb: ["in one file", "MB"],
};

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
