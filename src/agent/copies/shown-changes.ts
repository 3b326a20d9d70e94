import { existsSync } from "node:fs";
import { join } from "node:path";
import { formatPatch } from "diff";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ChangesOfCopy, CopyMergeWish } from "../ports/thread-host.ts";
import { isActedUpon } from "../tools/acted-upon.ts";
import { type CopyChange, changesOfCopy, diffOfChange, hunksOf } from "./copy-changes.ts";
import { mergeAsCommit } from "./merge-as-commit.ts";
import { mergeCopy } from "./merge-copy.ts";
import { planMerge } from "./plan-merge.ts";

/** What was done in a copy and is not taken over, as a person decides about it. */
export async function shownChanges(copy: ProjectCopy): Promise<ChangesOfCopy> {
  const { writes, conflicts } = await planMerge(copy);
  const reasons = new Map(conflicts.map(({ path, reason }) => [path, reason]));
  const open = new Set([...writes.map(({ path }) => path), ...reasons.keys()]);
  const changes = (await changesOfCopy(copy)).filter(({ path }) => open.has(path));
  return {
    name: copy.name,
    canCommit: existsSync(join(copy.project, ".git")),
    changes: changes.map((change) => {
      const conflict = reasons.get(change.path);
      return {
        path: change.path,
        kind: change.kind,
        diff: diffOfChange(change),
        pieces: piecesOf(change),
        isActedUpon: isActedUpon(change.path),
        ...(conflict !== undefined && { conflict }),
      };
    }),
  };
}

/** Answers with what was done, in a sentence. Throws conflict where both sides changed the same. */
export async function takeOver(
  copy: ProjectCopy,
  { leave = [], commit }: CopyMergeWish,
): Promise<string> {
  if (commit === undefined) {
    const plan = await planMerge(copy, { leave });
    mergeCopy(copy, plan);
    const count = plan.writes.length === 1 ? "1 file" : `${plan.writes.length} files`;
    return `Took over ${count} into ${copy.project}; nothing is committed.`;
  }
  const made = await mergeAsCommit(copy, { leave, message: commit });
  if (made === undefined) return "Nothing was taken over: there is nothing to commit.";
  return `Took it over into ${copy.project} as the commit ${made.slice(0, 10)}.`;
}

/** One alone cannot be left out of a file that is new, gone or no text. */
function piecesOf(change: CopyChange): string[] {
  if (change.kind !== "changed") return [];
  const hunks = hunksOf(change);
  const { path } = change;
  return hunks.map((hunk) =>
    formatPatch({
      ...{ oldFileName: `a/${path}`, newFileName: `b/${path}`, oldHeader: "", newHeader: "" },
      hunks: [hunk],
    }),
  );
}
