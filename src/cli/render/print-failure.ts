import { CommanderError } from "commander";
import { type ErrorBody, fileReason, isCairnError, messageOf } from "../../shared/errors.ts";
import { isPlainObject, visibleJson } from "../../shared/json.ts";
import { stripControl, stripControlLine } from "../../shared/text.ts";
import type { ProgramLine } from "../command-line.ts";

/** Reports an error: for people on stderr, or as `{"error": …}` on stdout if JSON was asked for. */
export function printFailure(line: ProgramLine, error: unknown, asJson: boolean): void {
  const body = bodyOf(error);
  if (asJson) line.stdout.write(`${visibleJson({ error: body })}\n`);
  else line.stderr.write(`${describe(body).join("\n")}\n`);
  if (line.env.CAIRN_DEBUG === "1" && error instanceof Error) {
    line.stderr.write(`${stripControl(error.stack ?? "")}\n`);
  }
}

function bodyOf(error: unknown): ErrorBody {
  if (isCairnError(error)) return error.toBody();
  if (error instanceof CommanderError) {
    return { code: "invalid_input", message: error.message.replace(/^error: /, "") };
  }
  const path = error instanceof Error && "path" in error ? `${String(error.path)}: ` : "";
  return {
    code: "internal",
    message: `${path}${path === "" ? messageOf(error) : fileReason(error)}`,
  };
}

/** Errors of a changeset that are shown; `--json` has all. */
const SHOWN_ERRORS = 50;

function describe({ code, message, details }: ErrorBody): string[] {
  const { errors, applied } = isPlainObject(details) ? details : {};
  if (code !== "changeset_failed" || !Array.isArray(errors)) {
    return [`cairn: error: ${stripControl(message)}`];
  }
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  const shown = errors.slice(0, SHOWN_ERRORS).map(describeIssue);
  const rest = errors.length - shown.length;
  return [
    typeof applied === "number" && applied > 0
      ? `cairn: error: ${stripControl(message)}`
      : `cairn: error: Nothing was applied: ${count}.`,
    ...shown,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

function describeIssue(issue: unknown): string {
  if (!isPlainObject(issue)) return `  ${JSON.stringify(issue)}`;
  const op = issue.op === "" ? "" : ` ${String(issue.op)}:`;
  return `  line ${String(issue.line)}:${op} ${stripControlLine(String(issue.message))}`;
}
