import { shorten } from "../../../shared/text.ts";
import { commandOf, editedFiles, errorLine, hasFailed, type ToolUse } from "../../capture/index.ts";

/** What tools did, in brief, without their full output. */
export interface ToolSummary {
  readonly text: string;
  readonly files: readonly string[];
}

const COMMAND_CHARACTERS = 200;
const MOST_FILES = 20;

/**
 * Summarises the tool calls between two messages: changed files, and commands that failed, each with the line
 * that says why, or that passed after having failed.
 */
export function summarizeTools(
  uses: readonly ToolUse[],
  { cwd, failed }: { readonly cwd: string; readonly failed: Set<string> },
): ToolSummary | undefined {
  const files = [...new Set(uses.flatMap(({ call }) => editedFiles(call, cwd)))];
  const commands = uses.flatMap((use) => commandLine(use, failed) ?? []);
  const shown = files.slice(0, MOST_FILES);
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : "";
  const lines = [
    ...(shown.length === 0 ? [] : [`Changed ${shown.join(", ")}${more}.`]),
    ...new Set(commands),
  ];
  return lines.length === 0 ? undefined : { text: lines.join("\n"), files: shown };
}

function commandLine({ call, result }: ToolUse, failed: Set<string>): string | undefined {
  const command = commandOf(call);
  if (command === undefined || command === "" || result === undefined) return undefined;
  const shown = `\`${shorten(command.replaceAll(/\s+/g, " "), COMMAND_CHARACTERS)}\``;
  if (hasFailed(result) === true) {
    failed.add(command);
    const reason = errorLine(result.text);
    return reason === "" ? `${shown} failed.` : `${shown} failed: ${reason}`;
  }
  return failed.delete(command) ? `${shown} passed.` : undefined;
}
