import { invalidInput } from "../../shared/errors.ts";
import { changesOfCopy, diffOfChange } from "../copies/copy-changes.ts";
import { mergeAsCommit } from "../copies/merge-as-commit.ts";
import { mergeCopy } from "../copies/merge-copy.ts";
import { type MergePlan, planMerge } from "../copies/plan-merge.ts";
import type { Dialogue } from "../ports/dialogue.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { isActedUpon } from "../tools/acted-upon.ts";
import { WAY_TO_A_COPY } from "./copy.ts";
import { choose } from "./review.ts";

const CHOICES = [
  { key: "y", label: "take it over" },
  { key: "c", label: "as a commit" },
  { key: "n", label: "leave it" },
];

export const merge: SlashCommand = {
  name: "merge",
  argument: { name: "what to leave out" },
  summary: "Take over what was done in a copy of the project, in whole or part",
  async run({ dialogue, copy }, args) {
    if (copy === undefined) {
      throw invalidInput(`/merge: this is the project itself. ${WAY_TO_A_COPY}`);
    }
    const changes = await changesOfCopy(copy);
    if (changes.length === 0) return dialogue.info("Nothing was changed in this copy.");
    dialogue.print(changes.map(diffOfChange).join(""));
    await ask(
      dialogue,
      copy,
      args.split(/\s+/).filter((path) => path !== ""),
    );
  },
};

/** Asks until it is taken over or left: another answer says what is left out. */
async function ask(dialogue: Dialogue, copy: ProjectCopy, leave: readonly string[]): Promise<void> {
  const plan = await planMerge(copy, { leave });
  const answer = (await choose(dialogue, questionOf(plan, copy), CHOICES)).trim();
  if (/^n(o)?$|^$/i.test(answer)) return dialogue.info("Nothing was taken over.");
  if (/^c(ommit)?$/i.test(answer)) return commit(dialogue, copy, leave);
  if (!/^y(es)?$/i.test(answer)) return ask(dialogue, copy, [...leave, ...answer.split(/\s+/)]);
  mergeCopy(copy, plan);
  const count = plan.writes.length === 1 ? "1 file" : `${plan.writes.length} files`;
  dialogue.success(`Took over ${count} into ${copy.project}; nothing is committed.`);
}

/** One commit on the branch of the project; what the person has not committed there stays out of it. */
async function commit(
  dialogue: Dialogue,
  copy: ProjectCopy,
  leave: readonly string[],
): Promise<void> {
  const message = (await dialogue.ask("What does the commit say? Nothing: it is left.")).trim();
  if (message === "") return dialogue.info("Nothing was taken over.");
  const made = await mergeAsCommit(copy, { leave, message });
  if (made === undefined) return dialogue.info("There is nothing to take over.");
  dialogue.success(`Took it over into ${copy.project} as the commit ${made.slice(0, 10)}.`);
}

function questionOf({ writes, conflicts, left }: MergePlan, { project }: ProjectCopy): string {
  const lines = writes.map(({ path, to }) => {
    const later = isActedUpon(path) ? "  (acted upon later, outside of the sandbox)" : "";
    return `  ${to.kind === "none" ? "removes" : "writes"} ${path}${later}`;
  });
  return [
    `Into ${project}:`,
    ...lines,
    ...conflicts.map(({ path, reason }) => `  conflict ${path}: ${reason}`),
    ...left.map((path) => `  leaves out ${path}`),
    "Take it over? Or name what to leave out: a file, a folder/, a piece of a file (src/a.ts:2).",
  ].join("\n");
}
