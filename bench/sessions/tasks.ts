import { readFileSync } from "node:fs";

export interface Turn {
  readonly by: "user" | "assistant";
  readonly text: string;
}

/** A bug whose fix depends on a decision made in a conversation or a commit. */
export interface Task {
  readonly codebase: string;
  readonly source: string;
  readonly module: string;
  readonly policy: string;
  readonly bug_report: string;
  readonly decision_subject: string | null;
  readonly decision_rationale: string | null;
  readonly cause_subject: string | null;
  readonly chats: readonly (readonly Turn[])[];
}

/** The tasks of one kind, and unrelated conversations of the same project. */
export interface Bench {
  readonly tasks: readonly Task[];
  readonly decoys: readonly (readonly Turn[])[];
}

export const VARIANTS = {
  conversation: "conversation",
  amended: "conversation-amended",
  history: "history",
} as const;

export function readBench(path: string, arm: keyof typeof VARIANTS): Bench {
  const { tasks, decoys } = JSON.parse(readFileSync(path, "utf8")) as Bench;
  const wanted = tasks.filter(({ source }) => source === VARIANTS[arm]);
  // A history contains only tasks with a decision.
  return {
    decoys,
    tasks: arm === "history" ? wanted.filter((task) => task.decision_subject !== null) : wanted,
  };
}
