import type { TerminalOptions } from "./terminal-options.ts";

/**
 * The agent on a terminal: with a screen where there is one, line by line on a dumb one and for a
 * screen reader, and once
 * for a prompt or piped input. Resolves with the exit code.
 */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  const { stdin, stdout } = options;
  const isOnce = options.prompt !== undefined || options.once === true || stdin.isTTY !== true;
  if (isOnce) {
    const { runOnce } = await import("./plain/run-once.ts");
    return runOnce(options);
  }
  if (stdout.isTTY !== true || options.isDumb) {
    const { runLines } = await import("./plain/run-lines.ts");
    return runLines(options);
  }
  if (options.screenReader === true) {
    const { runSpoken } = await import("./spoken/run-spoken.ts");
    return runSpoken(options);
  }
  stdin.setRawMode(true);
  const { runInteractive } = await import("./interactive.ts");
  return runInteractive(options);
}
