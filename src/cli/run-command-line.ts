import { CommanderError } from "commander";
import {
  diskIsFull,
  type ErrorBody,
  fileReason,
  isCairnError,
  lacksSpace,
  messageOf,
} from "../shared/errors.ts";
import { escapeHidden, isPlainObject } from "../shared/json.ts";
import { stripControl, stripControlLine } from "../shared/text.ts";
import type { ProgramLine, QuickLine } from "./command-line.ts";
import { createProgram } from "./create-program.ts";
import { EXIT, Interrupted } from "./exit-code.ts";

/** Prints an error to stderr, or as `{"error": …}` to stdout with `--json`. */
function printFailure(line: ProgramLine, error: unknown, asJson: boolean): void {
  const body = toErrorBody(error);
  if (asJson) line.stdout.write(`${escapeHidden({ error: body })}\n`);
  else line.stderr.write(`${describeError(body).join("\n")}\n`);
  if (line.env.CAIRN_DEBUG === "1" && error instanceof Error) {
    line.stderr.write(`${stripControl(error.stack ?? "")}\n`);
  }
}

function toErrorBody(error: unknown): ErrorBody {
  if (isCairnError(error)) return error.toBody();
  if (error instanceof CommanderError) {
    return { code: "invalid_input", message: error.message.replace(/^error: /, "") };
  }
  if (lacksSpace(error)) return diskIsFull(error).toBody();
  const path = error instanceof Error && "path" in error ? `${String(error.path)}: ` : "";
  return {
    code: "internal",
    message: `${path}${path === "" ? messageOf(error) : fileReason(error)}`,
  };
}

/** Maximum changeset errors shown; `--json` prints all. */
const MAX_SHOWN_ERRORS = 50;

function describeError({ code, message, details }: ErrorBody): string[] {
  const { errors, applied } = isPlainObject(details) ? details : {};
  if (code !== "changeset_failed" || !Array.isArray(errors)) {
    return [`cairn: error: ${stripControl(message)}`];
  }
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  const messages = errors.slice(0, MAX_SHOWN_ERRORS).map(describeIssue);
  const rest = errors.length - messages.length;
  return [
    typeof applied === "number" && applied > 0
      ? `cairn: error: ${stripControl(message)}`
      : `cairn: error: nothing was applied: ${count}.`,
    ...messages,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

function describeIssue(issue: unknown): string {
  if (!isPlainObject(issue)) return `  ${JSON.stringify(issue)}`;
  const op = issue.op === "" ? "" : ` ${String(issue.op)}:`;
  return `  line ${String(issue.line)}:${op} ${stripControlLine(String(issue.message))}`;
}

/** Resolves to the exit code: 0, 1 (failed), 2 (usage), 130 (Ctrl-C). */
export async function runCommandLine(args: readonly string[], world: QuickLine): Promise<number> {
  const stop = new AbortController();
  world.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `cairn events --follow | head` closes the pipe early, which is no failure.
    if (error.code !== "EPIPE") throw error;
    stop.abort(new ClosedPipe());
  });
  const abort = () => stop.abort(new ClosedPipe());
  world.longRunning?.signal.addEventListener("abort", abort, { once: true });
  const line = { ...world, signal: stop.signal };
  let exitCode: number = EXIT.ok;
  try {
    const { program, args: arranged } = await createProgram(line, {
      args,
      stop,
      setExitCode: (code) => {
        exitCode = code;
      },
    });
    await program.parseAsync([...arranged], { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(chooseReason(error, stop.signal), line, args);
  }
}

/** Node's streams wrap aborts in their own error; the signal has the reason. */
function chooseReason(error: unknown, signal: AbortSignal): unknown {
  const isAbort = error instanceof Error && error.name === "AbortError";
  return isAbort && signal.aborted ? signal.reason : error;
}

class ClosedPipe extends Error {}

function reportError(error: unknown, line: ProgramLine, args: readonly string[]): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  if (error instanceof ClosedPipe) return EXIT.ok;
  if (error instanceof Interrupted) {
    line.stderr.write(`cairn: ${error.message}\n`);
    return EXIT.interrupted;
  }
  printFailure(line, error, wantsJson(args));
  const isUsage =
    error instanceof CommanderError || (isCairnError(error) && error.code === "invalid_input");
  return isUsage ? EXIT.usage : EXIT.failed;
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? undefined : end).includes("--json");
}
