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

/** Enough for builds and servers; the machine stays responsive. */
const STANDARD_LIMITS = {
  processes: 2_048,
  processorSeconds: 14_400,
  fileMb: 10_240,
} as const;

/** Three quarters of the memory of this machine or container. */
function standardMemoryMb(): number {
  const limit = constrainedMemory();
  const total = limit === undefined || limit === 0 ? totalmem() : Math.min(limit, totalmem());
  return Math.max(1, Math.floor((0.75 * total) / MEBIBYTE));
}

type ConfiguredLimits = Partial<Omit<CommandLimits, "memoryMb">> & {
  readonly memoryMb?: number | undefined;
};

export function commandLimits({
  memoryMb = standardMemoryMb(),
  ...configured
}: ConfiguredLimits = {}): CommandLimits {
  return { ...STANDARD_LIMITS, ...configured, memoryMb };
}

const EXTRA_PROCESSES = 64;
/** Seconds between the soft and the hard limit. */
const EXTRA_SECONDS = 10;

/** Bash in a process namespace of its own, or `sh`. */
export type LimitScope = "sandbox" | "sh";

/**
 * Returns shell text that sets limits per process, on the first line of a command. Lower existing
 * limits stay. Bash counts in blocks of 1024 bytes, `sh` of 512. The number of processes is limited
 * only in the sandbox; elsewhere it would count all of the user's.
 */
export function formatLimits(
  { fileMb, processes, processorSeconds }: CommandLimits,
  location: LimitScope,
): string {
  const isCounted = location === "sandbox" && process.platform === "linux";
  const lines = [
    `ulimit -f ${fileMb * (location === "sh" ? 2048 : 1024)}`,
    `ulimit -S -t ${processorSeconds + EXTRA_SECONDS}`,
    `ulimit -H -t ${processorSeconds + 2 * EXTRA_SECONDS}`,
    ...(isCounted ? [`ulimit -u ${processes + EXTRA_PROCESSES}`] : []),
  ];
  return lines.map((line) => `${line} 2>/dev/null; `).join("");
}

export function overLimitMessage(
  limit: CommandLimit,
  limits: CommandLimits,
  used?: number,
): string {
  const [what, unit] = LIMIT_DESCRIPTIONS[limit];
  const had = used === undefined ? "" : ` (it had ${Math.ceil(used)})`;
  return `Ended by cairn's limit: more than ${limits[limit]} ${unit} ${what}${had}.`;
}

const LIMIT_DESCRIPTIONS: Readonly<Record<CommandLimit, readonly [string, string]>> = {
  memoryMb: ["of memory for a command and its child processes", "MB"],
  processes: ["at the same time", "processes and threads"],
  processorSeconds: ["of CPU time for a command and its child processes", "seconds"],
  fileMb: ["in one file", "MB"],
};

interface WrappedCommand {
  readonly command: string;
  /** Called at the end; returns a message, usually none. */
  readonly finished?: () => Promise<string>;
}

export interface WrapOptions {
  readonly network?: boolean;
  readonly credential?: string;
  /** Commands of one scope share temporary files. */
  readonly scope?: string;
  readonly readOnly?: boolean;
  /** A command of cairn that writes nothing, so its changes are not checked. */
  readonly makesNothing?: boolean;
  readonly limits?: CommandLimits;
}

/** Wraps a shell command in the sandbox, if there is one. */
export type CommandWrapper = (command: string, options?: WrapOptions) => Promise<WrappedCommand>;

export const unwrapped: CommandWrapper = async (command, options) => ({
  command: `${options?.limits === undefined ? "" : formatLimits(options.limits, "sh")}${command}`,
});
