import { fence } from "../documents/fence.ts";
import type { NightCheck } from "./night-state.ts";
import type { NightTask } from "./night-task.ts";

/** How the model says that a task cannot be done. */
const NOT_DONE = /^[ \t>*_`]*NOT DONE:[ \t]*(.+)$/im;

/** Of a check that failed, so much goes to the model and into the journal. */
const MOST_OUTPUT = 8_000;

export interface TaskWords {
  readonly task: NightTask;
  readonly checks: readonly string[];
  /** Names of those that were done before, whose work is in the files. */
  readonly before: readonly string[];
  readonly canAsk: boolean;
}

export function taskMessage({ task, checks, before, canAsk }: TaskWords): string {
  const parts = [
    `# ${task.name}`,
    task.details,
    "This is one task of a list that is worked through while nobody watches. Do all of it and nothing beside it, tests and documentation included, and check it yourself.",
    canAsk
      ? "Nobody answers soon: decide yourself what can be decided, and ask only what nobody but a person can know."
      : "Nobody can be asked: decide yourself what can be decided.",
    "If it cannot be done as it is written, change nothing more and end your last answer with a line `NOT DONE: ` and the reason.",
    ...(before.length === 0
      ? []
      : [
          `Done before it, and in the files already:\n${before.map((name) => `- ${name}`).join("\n")}`,
        ]),
    ...(checks.length === 0
      ? []
      : [
          `It counts as done when these succeed, which are run once you have ended:\n${checks.map((check) => `- \`${check}\``).join("\n")}`,
        ]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** After the program or the machine went down in the middle. */
export const GO_ON =
  "The machine stopped in the middle of this. Look at what is there already, then finish the task; what is done is not to be done again.";

export function repairMessage(failed: Omit<NightCheck, "ok">): string {
  const text = `${failed.command}: ${failed.reason}\n${endOf(failed.output)}`;
  return `The work is not accepted yet. Find the cause and repair it.\n\n${fence("check", text)}`;
}

export function endOf(output: string): string {
  return output.length <= MOST_OUTPUT ? output : `…${output.slice(-MOST_OUTPUT)}`;
}

/** Why the model says that it could not; undefined: it does not say so. */
export function notDoneReason(said: string): string | undefined {
  return NOT_DONE.exec(said)?.[1]?.trim();
}
