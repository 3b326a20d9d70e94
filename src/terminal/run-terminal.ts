import type { TerminalOptions } from "./terminal-options.ts";

/**
 * Runs the agent on a terminal: full screen; line by line on a dumb terminal or for a screen
 * reader; or once for a prompt or piped input. Resolves to the exit code.
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
  const { runInteractive } = await import("./run-interactive.ts");
  return runInteractive(options);
}
