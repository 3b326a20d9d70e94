import { runProgramSync } from "../../shared/programs.ts";
import type { CommandLine } from "../command-line.ts";

/** Preserves colors, and exits if everything fits on the screen. */
const DEFAULT_PAGER = "less -FRX";

/** Pages output longer than the terminal, like git. */
export function showInPager(
  line: CommandLine,
  lines: readonly string[],
  wantsPager: boolean,
): void {
  const text = `${lines.join("\n")}\n`;
  const pager = line.env.CAIRN_PAGER ?? line.env.PAGER ?? DEFAULT_PAGER;
  // Terminals of unknown height report 0.
  const isLong = lines.length >= (line.stdout.rows || Number.POSITIVE_INFINITY);
  const hasTerminal = line.stdout === process.stdout || line.longRunning !== undefined;
  const isOwnTerminal = hasTerminal && line.stdout.isTTY === true;
  if (!wantsPager || !isLong || !isOwnTerminal || pager === "" || pager === "cat") {
    line.stdout.write(text);
    return;
  }
  if (line.longRunning !== undefined) {
    line.longRunning.showPage(text, pager);
    return;
  }
  const result = runProgramSync("sh", ["-c", pager], {
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  // Without a pager, print directly.
  if (result.error !== undefined || result.status === 127) line.stdout.write(text);
}
