import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { stateConflict } from "../../shared/errors.ts";
import { disableFilters } from "../../shared/safe-git.ts";
import { Journal } from "../documents/journal.ts";
import type { TreeEntryChange } from "./changes.ts";
import { git } from "./git.ts";
import { temporaryNameFor } from "./worktree.ts";

export interface FileWrite extends TreeEntryChange {
  readonly linkText?: string;
}

const mergeSteps = z.object({
  top: z.string(),
  /** `prepare`: nothing is replaced yet. `commit`: all new contents are on the disk. */
  stage: z.enum(["prepare", "commit"]),
  steps: z.array(z.object({ path: z.string(), temporary: z.string().nullable() })),
});
type MergeSteps = z.output<typeof mergeSteps>;

function journalIn(folder: string): Journal<MergeSteps> {
  return new Journal(join(folder, "merge.json"), mergeSteps);
}

/**
 * Replaces and removes files of a work tree as one step: writes synced temporary files and a
 * journal, then renames each file. After a crash `finishMerge` rolls back before, and completes
 * after, the journal was committed. Throws `conflict`, before any change, if a file changed
 * meanwhile or a link or folder is in its way.
 */
export async function replaceFiles(
  journalFolder: string,
  top: string,
  writes: readonly FileWrite[],
): Promise<void> {
  const removedFirst = [...writes].sort((a, b) => changeRank(a) - changeRank(b));
  for (const write of removedFirst) requireWritable(top, write, writes);
  const journal = journalIn(journalFolder);
  const done = await journal.runExclusively(() => replaceJournaled(journal, top, removedFirst));
  if (done === undefined) {
    throw stateConflict("Nothing was merged: another process is merging this worktree.");
  }
}

async function replaceJournaled(
  journal: Journal<MergeSteps>,
  top: string,
  writes: readonly FileWrite[],
): Promise<void> {
  const steps = writes.map(({ path, newMode }) => ({
    path,
    temporary: newMode === "000000" ? null : temporaryNameFor(join(top, path)),
  }));
  const prepared: MergeSteps = { top, stage: "prepare", steps };
  journal.write(prepared);
  try {
    for (const [index, write] of writes.entries()) {
      const temporary = steps[index]?.temporary;
      if (typeof temporary === "string") await prepareFile(top, write, temporary);
    }
    await requireUnchanged(top, writes);
  } catch (error) {
    rollBack(prepared);
    journal.remove();
    throw error;
  }
  const committed: MergeSteps = { ...prepared, stage: "commit" };
  journal.write(committed);
  rollForward(committed);
  journal.remove();
}

/** Finishes or rolls back a merge whose process is dead. */
export async function finishMerge(journalFolder: string): Promise<void> {
  await journalIn(journalFolder).finish((steps) =>
    steps.stage === "prepare" ? rollBack(steps) : rollForward(steps),
  );
}

function changeRank({ newMode }: FileWrite): number {
  return newMode === "000000" ? 0 : 1;
}

function requireWritable(
  top: string,
  { path, newMode }: FileWrite,
  writes: readonly FileWrite[],
): void {
  const removed = new Set(writes.filter((one) => one.newMode === "000000").map((one) => one.path));
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const stats = lstatSync(join(top, folder), { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory() || removed.has(folder)) continue;
    throw stateConflict(
      `Nothing was merged: "${folder}" in the project is a link or a file, and "${path}" needs a folder there.`,
    );
  }
  const stats = lstatSync(join(top, path), { throwIfNoEntry: false });
  if (newMode !== "000000" && stats?.isDirectory() === true && !hasOnly(path, removed)) {
    throw stateConflict(
      `Nothing was merged: "${path}" is a folder in the project. Move it away, or exclude it.`,
    );
  }
}

function hasOnly(folder: string, removed: ReadonlySet<string>): boolean {
  return [...removed].some((path) => path.startsWith(`${folder}/`));
}

async function prepareFile(top: string, write: FileWrite, temporary: string): Promise<void> {
  const { path, newMode, newId, oldMode } = write;
  mkdirSync(dirname(temporary), { recursive: true });
  if (write.linkText !== undefined) {
    symlinkSync(write.linkText, temporary);
    return;
  }
  await git(top, ["cat-file", "blob", newId], { outputFile: temporary });
  chmodSync(
    temporary,
    modeFor(lstatSync(join(top, path), { throwIfNoEntry: false })?.mode, newMode, oldMode),
  );
  const file = openSync(temporary, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function modeFor(present: number | undefined, newMode: string, oldMode: string): number {
  const isExecutable = newMode === "100755";
  if (present === undefined) return (isExecutable ? 0o777 : 0o666) & ~process.umask();
  const mode = present & 0o777;
  if (newMode === oldMode) return mode;
  return isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Refuses to overwrite a file that was saved since the merge was computed. */
async function requireUnchanged(top: string, writes: readonly FileWrite[]): Promise<void> {
  const present = writes.filter(({ oldMode }) => oldMode.startsWith("100"));
  const removed = present.find(({ path }) => !existsSync(join(top, path)));
  if (removed !== undefined) throw changedError(removed.path);
  if (present.length === 0) return;
  const input = present.map(({ path }) => `${path}\n`).join("");
  const named = present.filter(({ path }) => !/[\n"\\]/.test(path));
  const ids = (
    await git(top, ["hash-object", "--no-filters", "--stdin-paths"], {
      input:
        named.length === present.length ? input : named.map(({ path }) => `${path}\n`).join(""),
    })
  ).split("\n");
  for (const [index, { path, oldId }] of named.entries()) {
    if (ids[index] !== oldId && !(await isSameAfterConversion(top, path, oldId))) {
      throw changedError(path);
    }
  }
  const created = writes.find(
    ({ path, oldMode }) =>
      oldMode === "000000" &&
      lstatSync(join(top, path), { throwIfNoEntry: false })?.isFile() === true,
  );
  if (created !== undefined) throw changedError(created.path);
}

/** Line ends may differ from what git stores. */
async function isSameAfterConversion(top: string, path: string, id: string): Promise<boolean> {
  const config = await disableFilters(top);
  const hashed = await git(top, ["hash-object", `--path=${path}`, "--", join(top, path)], {
    config,
  });
  return hashed.trim() === id;
}

function changedError(path: string) {
  return stateConflict(
    `Nothing was merged: "${path}" has changed in the project, or is ignored by git. Try again, or exclude it.`,
  );
}

/** Idempotent, so that it can be repeated after a crash. */
function rollForward({ top, steps }: MergeSteps): void {
  for (const { path, temporary } of steps) {
    const target = join(top, path);
    if (temporary === null) removeFile(top, target);
    else if (lstatSync(temporary, { throwIfNoEntry: false }) !== undefined) {
      removeEmptyFolder(target);
      renameSync(temporary, target);
    }
  }
  for (const folder of new Set(steps.map(({ path }) => dirname(join(top, path)))))
    syncFolder(folder);
}

function rollBack({ steps }: MergeSteps): void {
  for (const { temporary } of steps) if (temporary !== null) rmSync(temporary, { force: true });
}

function removeFile(top: string, target: string): void {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return;
  // A crash may have removed the file and not yet its folder.
  if (stats !== undefined) unlinkSync(target);
  const root = realpathSync(top);
  for (let folder = dirname(target); folder.startsWith(`${root}/`) && removeEmptyFolder(folder); ) {
    folder = dirname(folder);
  }
}

/** Returns true if the folder does not exist afterwards. */
function removeEmptyFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats === undefined;
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    // It contains files that git does not list.
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function syncFolder(folder: string): void {
  if (!existsSync(folder) || process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
