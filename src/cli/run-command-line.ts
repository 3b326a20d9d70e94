import { CommanderError } from "commander";
import { isCairnError, messageOf } from "../kernel/errors.ts";
import type { CommandLine } from "./command-line.ts";
import { createProgram } from "./create-program.ts";

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Runs one command; resolves to the exit code: 0, 1 (failed), 2 (usage). */
export async function runCommandLine(args: readonly string[], line: CommandLine): Promise<number> {
  line.stdout.on("error", ignoreClosedPipe);
  let exitCode: number = EXIT.ok;
  const program = createProgram(line, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    return report(error, line, args.includes("--json"));
  }
}

function report(error: unknown, line: CommandLine, asJson: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const known = isCairnError(error)
    ? error.toBody()
    : ({ code: "internal", message: messageOf(error) } as const);
  if (asJson) line.stdout.write(`${JSON.stringify({ error: known })}\n`);
  else line.stderr.write(`cairn: error: ${known.message}\n`);
  if (!isCairnError(error) && line.env.CAIRN_DEBUG === "1" && error instanceof Error) {
    line.stderr.write(`${error.stack}\n`);
  }
  return known.code === "invalid_input" ? EXIT.usage : EXIT.failed;
}

/** `cairn events | head` closes the pipe early; that is no failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
