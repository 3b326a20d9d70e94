import { shortLine } from "../kernel/shorten.ts";
import type { Candidate } from "./candidate.ts";
import { commandOf, editedFiles, errorLine, hasFailed, type ToolUse } from "./tool-calls.ts";

/** A cure of more steps than this is a story, not an advice. */
const MOST_STEPS = 6;

/**
 * Commands that failed and later passed, with what was changed in between. One that passes with
 * nothing done was only unlucky, and says nothing.
 */
export function findCures(uses: readonly ToolUse[], cwd: string): Candidate[] {
  return uses.flatMap((use, index) => {
    const command = commandOf(use.call);
    if (command === undefined || use.result === undefined || hasFailed(use.result) !== true) {
      return [];
    }
    const later = uses.slice(index + 1);
    const again = later.findIndex(({ call }) => commandOf(call) === command);
    const repeated = later[again];
    if (repeated?.result === undefined || hasFailed(repeated.result) === true) return [];
    const steps = later.slice(0, again);
    const files = [...new Set(steps.flatMap(({ call }) => editedFiles(call, cwd)))];
    const commands = [...new Set(steps.flatMap(({ call }) => workingCommand(call)))];
    if (files.length + commands.length === 0) return [];
    return [cure({ command, error: errorLine(use.result.text), files, commands })];
  });
}

/** Commands that only look change nothing. */
const LOOKING =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|git (?:status|diff|log|show)|pwd|echo|which)\b/;

function workingCommand(call: ToolUse["call"]): string[] {
  const command = commandOf(call);
  return command === undefined || LOOKING.test(command) ? [] : [command];
}

function cure(found: {
  readonly command: string;
  readonly error: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}): Candidate {
  const changed = found.files.slice(0, MOST_STEPS);
  const ran = found.commands
    .slice(0, MOST_STEPS)
    .map((command) => `\`${shortLine(command, 120)}\``);
  const steps = [
    ...(changed.length === 0 ? [] : [`changing ${changed.join(", ")}`]),
    ...(ran.length === 0 ? [] : [`running ${ran.join(", ")}`]),
  ];
  const reason = found.error === "" ? "" : ` with "${found.error}"`;
  return {
    kind: "cure",
    episodeType: "outcome",
    content: `\`${shortLine(found.command, 120)}\` failed${reason}; it passed after ${steps.join(" and ")}.`,
    entities: changed.map((path) => `file:${path}`),
    assertedBy: "assistant",
  };
}
