import { constants } from "node:os";
import { type CommandLimits, overLimit } from "./command-limits.ts";
import type { OutputRing } from "./output-ring.ts";

/** What shells and programs say when a file may not grow any more. */
const SAID = /File size limit exceeded|\bEFBIG\b|File too large/m;

/** A shell answers with this much more than the number of the signal that ended a command. */
const BY_SIGNAL = 128;

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function tellSystemLimit(
  { exitCode, signal }: CommandEnd,
  output: OutputRing,
  limits: CommandLimits,
): string | undefined {
  const isEndedBy = (name: "SIGXFSZ" | "SIGXCPU") =>
    signal === name || exitCode === BY_SIGNAL + constants.signals[name];
  if (isEndedBy("SIGXCPU")) return overLimit("processorSeconds", limits);
  if (isEndedBy("SIGXFSZ")) return overLimit("fileMb", limits);
  if (exitCode === 0) return undefined;
  return SAID.test(output.text()) ? overLimit("fileMb", limits) : undefined;
}
