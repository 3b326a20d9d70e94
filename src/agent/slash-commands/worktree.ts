import type { SlashCommand } from "../ports/slash-command.ts";
import { createDiff, loadChanges } from "../worktrees/changes.ts";
import { mergeWorktree, planMerge } from "../worktrees/merge.ts";
import { choose } from "./review.ts";

const CHOICES = [
  { key: "y", label: "merge" },
  { key: "n", label: "not now" },
];

export const worktree: SlashCommand = {
  name: "worktree",
  summary: "Review the changes of this worktree and merge them",
  exact: true,
  async run({ dialogue, worktree: present, projectRoot }) {
    if (present === undefined) {
      dialogue.info(
        `This is the project itself: ${projectRoot}. \`cairn --worktree\` works in a worktree.`,
      );
      return;
    }
    const { tree, changes } = await loadChanges(present);
    if (changes.length === 0) {
      dialogue.info(`Nothing changed in the worktree "${present.name}".`);
      return;
    }
    dialogue.print(await createDiff(present, tree));
    const files = changes.length === 1 ? "1 file" : `${changes.length} files`;
    const answer = await choose(dialogue, `Merge ${files} into ${present.project}?`, CHOICES);
    if (!/^y(es)?$/i.test(answer.trim())) return dialogue.info("Nothing was merged.");
    const plan = await planMerge(present);
    await mergeWorktree(present, plan);
    dialogue.success(`Merged ${files} into ${present.project}; nothing is committed.`);
  },
};
