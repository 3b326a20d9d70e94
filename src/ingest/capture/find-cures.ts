import { shortenLine } from "../../shared/text.ts";
import type { Candidate } from "./candidate.ts";
import type { OpenFailure } from "./session-reading.ts";
import { commandOf, editedFiles, errorLine, hasFailed, type ToolUse } from "./tool-calls.ts";

/** A cure with more steps is a story rather than advice. */
const MOST_STEPS = 6;
/** A session with more failing commands than this has turned to something else. */
const MOST_FAILURES = 20;

export interface FoundCures {
  readonly cures: readonly Candidate[];
  /** Commands that failed and have not passed since, for the next part of the session. */
  readonly failures: readonly OpenFailure[];
}

/**
 * Commands that failed and later passed, with what was changed in between. If nothing was done in between,
 * the failure was chance and says nothing.
 */
export function findCures(
  uses: readonly ToolUse[],
  cwd: string,
  before: readonly OpenFailure[] = [],
): FoundCures {
  const failures = new Map(before.map((failure) => [failure.command, failure]));
  const cures: Candidate[] = [];
  for (const { call, result } of uses) {
    const command = commandOf(call);
    const failure = command === undefined ? undefined : failures.get(command);
    if (command !== undefined) failures.delete(command);
    const hasPassed = result !== undefined && hasFailed(result) !== true;
    if (failure !== undefined && hasPassed && hasSteps(failure)) cures.push(cure(failure));
    for (const [name, open] of failures) failures.set(name, withStep(open, call, cwd));
    if (command === undefined || result === undefined || hasPassed) continue;
    failures.set(command, { command, error: errorLine(result.text), files: [], commands: [] });
  }
  return { cures, failures: [...failures.values()].slice(-MOST_FAILURES) };
}

function hasSteps({ files, commands }: OpenFailure): boolean {
  return files.length + commands.length > 0;
}

function withStep(failure: OpenFailure, call: ToolUse["call"], cwd: string): OpenFailure {
  const { command, error, files, commands } = failure;
  return {
    ...{ command, error },
    files: firstSteps([...files, ...editedFiles(call, cwd)]),
    commands: firstSteps([...commands, ...workingCommand(call)]),
  };
}

function firstSteps(steps: readonly string[]): string[] {
  return [...new Set(steps)].slice(0, MOST_STEPS);
}

/** Commands that only look at something change nothing. */
const LOOKING =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|git (?:status|diff|log|show)|pwd|echo|which)\b/;

function workingCommand(call: ToolUse["call"]): string[] {
  const command = commandOf(call);
  return command === undefined || LOOKING.test(command) ? [] : [command];
}

function cure({ command, error, files, commands }: OpenFailure): Candidate {
  const ran = commands.map((one) => `\`${shortenLine(one, 120)}\``);
  const steps = [
    ...(files.length === 0 ? [] : [`changing ${files.join(", ")}`]),
    ...(ran.length === 0 ? [] : [`running ${ran.join(", ")}`]),
  ];
  const reason = error === "" ? "" : ` with "${error}"`;
  return {
    kind: "cure",
    episodeType: "outcome",
    content: `\`${shortenLine(command, 120)}\` failed${reason}; it passed after ${steps.join(" and ")}.`,
    entities: files.map((path) => `file:${path}`),
    assertedBy: "assistant",
    // If only edits cured it, the fault was in the files and is gone.
    ...(ran.length > 0 && {
      mistake: {
        how: "cured",
        command,
        ...(error !== "" && { error }),
        wanted: steps.join(" and "),
      },
    }),
  };
}
