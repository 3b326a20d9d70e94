import pc from "picocolors";
import type { CommandLine } from "../command-line.ts";

export interface Style {
  /** Infinity for a pipe, where nothing is truncated or wrapped. */
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly now: Date;
  /** Database name, if the output should mention it. */
  readonly database?: string;
}

const MIN_COLUMNS = 40;
const DEFAULT_COLUMNS = 80;

export function detectStyle(line: Pick<CommandLine, "stdout" | "env">): Style {
  const { stdout, env } = line;
  const isTerminal = stdout.isTTY === true;
  const isForced = (env.FORCE_COLOR ?? "") !== "" && env.FORCE_COLOR !== "0";
  const wantsColor = (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return {
    columns: isTerminal
      ? Math.max(MIN_COLUMNS, stdout.columns ?? DEFAULT_COLUMNS)
      : Number.POSITIVE_INFINITY,
    colors: pc.createColors(isForced || (isTerminal && wantsColor)),
    now: new Date(),
  };
}
