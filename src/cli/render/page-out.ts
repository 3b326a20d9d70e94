import { runProgramSync } from "../../shared/programs.ts";
import type { CommandLine } from "../command-line.ts";

/** Keeps colours, and ends at once if everything fits on the screen. */
const USUAL_PAGER = "less -FRX";

/** Writes lines; what is longer than the terminal goes through the pager, as with git. */
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
  const shown = runProgramSync("sh", ["-c", pager], {
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
  });
  // Without such a program, the text is printed directly.
  if (shown.error !== undefined || shown.status === 127) line.stdout.write(text);
}
