import {
  chmodSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { stateConflict } from "../../shared/errors.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { type FileState, isSameState, readState } from "./file-state.ts";
import type { MergePlan, PlannedWrite } from "./plan-merge.ts";

/**
 * Writes what was planned into the project, all of it or nothing, as changes that are not committed.
 * Throws conflict where both sides changed the same, or the project was changed since the plan was made.
 */
export function mergeCopy({ project }: ProjectCopy, { writes, conflicts }: MergePlan): void {
  if (conflicts.length > 0) {
    const list = conflicts.map(({ path, reason }) => `${path}: ${reason}`).join("\n");
    throw stateConflict(
      `Nothing was written, since both sides changed the same:\n${list}\nLeave these out with --leave, or put them right in the copy or in the project first.`,
    );
  }
  for (const { path, from } of writes) {
    if (isSameState(readState(project, path), from)) continue;
    throw stateConflict(`Nothing was written: ${path} was changed a moment ago. Try again.`);
  }
  const done: PlannedWrite[] = [];
  try {
    for (const write of removalsFirst(writes)) {
      done.push(write);
      put(join(project, write.path), write.to);
    }
  } catch (error) {
    for (const { path, from } of done.reverse()) put(join(project, path), from);
    throw error;
  }
}

/** A link may take the place of a folder whose files are removed. */
function removalsFirst(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  const isRemoval = ({ to }: PlannedWrite) => to.kind === "none";
  return [...writes.filter(isRemoval), ...writes.filter((write) => !isRemoval(write))];
}

/** A file is made beside what it replaces: nobody sees a half, and no link is written through. */
function put(path: string, state: FileState): void {
  if (state.kind === "other") return;
  // A folder that is not empty stays, and says so.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(path);
  else rmSync(path, { force: true });
  if (state.kind === "none") return;
  mkdirSync(dirname(path), { recursive: true });
  if (state.kind === "link") {
    symlinkSync(state.target, path);
    return;
  }
  writeFileSync(path, state.content, { flag: "wx", mode: state.isProgram ? 0o777 : 0o666 });
  // The rights of a new file are those that the person's programs give.
  if (state.isProgram) chmodSync(path, 0o777 & ~process.umask());
}
