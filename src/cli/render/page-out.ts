import { spawnSync } from "node:child_process";
import type { CommandLine } from "../command-line.ts";

/** Shows colours, and ends at once where everything fits. */
const USUAL_PAGER = "less -FRX";

/** Writes lines; what is longer than the terminal goes through the pager, as git does it. */
export function pageOut(line: CommandLine, lines: readonly string[], wantsPager: boolean): void {
  const text = `${lines.join("\n")}\n`;
  const pager = line.env.CAIRN_PAGER ?? line.env.PAGER ?? USUAL_PAGER;
  // A terminal that does not know its height says 0.
  const isLong = lines.length >= (line.stdout.rows || Number.POSITIVE_INFINITY);
  const hasTerminal = line.stdout === process.stdout || line.stays !== undefined;
  const isOwnTerminal = hasTerminal && line.stdout.isTTY === true;
  if (!wantsPager || !isLong || !isOwnTerminal || pager === "" || pager === "cat") {
    line.stdout.write(text);
    return;
  }
  if (line.stays !== undefined) {
    line.stays.showPage(text, pager);
    return;
  }
  const shown = spawnSync("sh", ["-c", pager], {
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  // Where there is no such program, the text matters more than the comfort.
  if (shown.error !== undefined || shown.status === 127) line.stdout.write(text);
}
