import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { stateConflict } from "../../shared/errors.ts";
import { gitOutputSync } from "../../shared/safe-git.ts";
import { stripControl } from "../../shared/text.ts";
import { createAndPinFolder, type PinnedFolder, pinFolder } from "../documents/pinned-folder.ts";
import { unifiedDiff } from "../tools/unified-diff.ts";
import type { BlobStore } from "./blob-store.ts";
import { type FileCopy, isReached, isSameContent, isSameCopy, readFileState } from "./file-copy.ts";
import { OBJECT_ID } from "./git-objects.ts";
import type { FileChange } from "./turn-record.ts";

const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const MAX_SHOWN_DIFFS = 5;
const MAX_SHOWN_CHARACTERS = 2_000;

export interface Restoration {
  readonly root: string;
  readonly store: BlobStore;
  /** From the current state (`after`) to the restored one (`before`). */
  readonly changes: readonly FileChange[];
  /** Removed if empty. */
  readonly folders: readonly string[];
  /** In the names of temporary files, so that a repetition after a crash replaces them. */
  readonly token: string;
}

/**
 * Restores files, links and folders. Checks all before the first change: throws conflict with a
 * difference if one is neither as it was left nor as restored. Writes through pinned folders.
 * Returns the restored paths and what was left.
 */
export async function restoreFiles(restoration: Restoration): Promise<{
  readonly files: string[];
  readonly notKept: string[];
}> {
  const { root, folders } = restoration;
  const toRelativePath = ({ change }: Step) => relative(root, change.path);
  const states = planSteps(restoration);
  const [ofGit, others] = [states.filter(isGit(root)), states.filter((one) => !isGit(root)(one))];
  const foreign = others.filter(isForeign);
  if (foreign.length > 0) throw describeChangesSince(restoration, foreign);
  // After a later commit the restored state would be inconsistent.
  const isMovedOn = ofGit.some((one) => isForeign(one));
  const lost = isMovedOn ? undefined : lostObject(restoration, ofGit);
  const isGitKept = isMovedOn || lost !== undefined;
  const changedSteps = [...others, ...(isGitKept ? [] : ofGit)].filter(
    ({ change, now }) => !isSameCopy(now, change.before),
  );
  const steps = changedSteps.filter(({ change }) => isKnown(change.before));
  const left = changedSteps.filter(({ change }) => !isKnown(change.before));
  requireEmptied(restoration, steps);
  await removeAll(steps);
  await makeFolders(steps);
  await putAllBack(steps, restoration);
  await setModes(steps);
  for (const folder of folders.toReversed()) removeIfEmpty(folder);
  const reason = lost === undefined ? "" : `, since it no longer has ${lost}`;
  const notKept = [
    ...left.map(toRelativePath),
    ...(isGitKept ? [`the state of git${reason}`] : []),
  ];
  return { files: steps.map(toRelativePath), notKept };
}

const REF_FILE = /(?:^|\/)(?:HEAD|packed-refs|refs\/.+)$/;

/** An object that the restored references name and git no longer has. */
function lostObject({ root, store }: Restoration, ofGit: readonly Step[]): string | undefined {
  const objectsByRepository = new Map<string, Set<string>>();
  for (const { change, now } of ofGit) {
    const { path, before } = change;
    const [, repository = "", name = ""] =
      /^(.*\/\.git(?:\/modules\/.+?)?)\/((?:refs\/|[^/]+$).*)$/.exec(path) ?? [];
    if (before === null || !("hash" in before) || isSameCopy(now, before) || !REF_FILE.test(name)) {
      continue;
    }
    const ids = objectsByRepository.get(repository) ?? new Set();
    objectsByRepository.set(repository, ids);
    for (const [id] of store.get(before.hash).toString("latin1").matchAll(OBJECT_ID)) ids.add(id);
  }
  for (const [repository, ids] of objectsByRepository) {
    const found = gitOutputSync(["cat-file", "--batch-check"], {
      ...{ cwd: root, config: ["--git-dir", repository] },
      ...{ input: [...ids].join("\n"), stdio: ["pipe", "pipe", "ignore"] },
    });
    const missing = /^(\S+) missing$/m.exec(found ?? "")?.[1];
    if (missing !== undefined) return missing.slice(0, 12);
  }
  return undefined;
}

interface Step {
  readonly change: FileChange;
  readonly now: FileCopy | null;
}

function planSteps({ changes }: Restoration): readonly Step[] {
  const reached = new Map<string, boolean>();
  return changes.map((change) => {
    const { before, after } = change;
    if (isUnseen(before) || isUnseen(after)) {
      return { change: { ...change, before: before ?? MISSING_FILE }, now: after };
    }
    return {
      change,
      now: isReached(dirname(change.path), reached) ? readFileState(change.path) : null,
    };
  });
}

const MISSING_FILE: FileCopy = { unseen: "" };
const isUnseen = (copy: FileCopy | null): boolean => copy !== null && "unseen" in copy;
const isKnown = (copy: FileCopy | null): boolean =>
  copy === null || "hash" in copy || "link" in copy || "folder" in copy;
const isGit =
  (root: string) =>
  ({ change }: Step): boolean =>
    change.path.startsWith(`${root}/.git/`);
const isForeign = ({ change, now }: Step): boolean =>
  !isUnseen(change.before) &&
  !isUnseen(now) &&
  !isSameContent(now, change.after) &&
  !isSameContent(now, change.before);

const isFolder = (copy: FileCopy | null): copy is Extract<FileCopy, { folder: number }> =>
  copy !== null && "folder" in copy;
const pathDepth = ({ change }: Step): number => change.path.split("/").length;

/** A folder is replaced by a file only if all its entries are removed. */
function requireEmptied(restoration: Restoration, steps: readonly Step[]): void {
  const gone = new Set(
    steps.filter(({ change }) => change.before === null).map(({ change }) => change.path),
  );
  const inTheWay = steps.filter(
    ({ change, now }) =>
      isFolder(now) &&
      change.before !== null &&
      !isFolder(change.before) &&
      readdirSync(change.path).some((name) => !gone.has(join(change.path, name))),
  );
  if (inTheWay.length > 0) throw describeChangesSince(restoration, inTheWay);
}

async function removeAll(steps: readonly Step[]): Promise<void> {
  const gone = steps.filter(
    ({ change: { before }, now }) =>
      now !== null && (before === null || isFolder(now) !== isFolder(before)),
  );
  for (const { change, now } of gone.toSorted((a, b) => pathDepth(b) - pathDepth(a))) {
    const folder = await pinFolder(dirname(change.path));
    try {
      if (!isFolder(now)) rmSync(folder.at(basename(change.path)), { force: true });
      else removeIfEmpty(folder.at(basename(change.path)));
    } finally {
      await folder.close();
    }
  }
}

async function makeFolders(steps: readonly Step[]): Promise<void> {
  const missing = steps.filter(({ change, now }) => isFolder(change.before) && !isFolder(now));
  for (const { change } of missing.toSorted((a, b) => pathDepth(a) - pathDepth(b))) {
    await (await createAndPinFolder(change.path)).close();
  }
}

async function putAllBack(steps: readonly Step[], restoration: Restoration): Promise<void> {
  const byFolder = new Map<string, PutBack[]>();
  for (const { change } of steps) {
    const { path, before } = change;
    if (before === null || !("hash" in before || "link" in before)) continue;
    const folder = dirname(path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { name: basename(path), copy: before }]);
  }
  for (const [folder, wanted] of byFolder) await putBack(folder, wanted, restoration);
}

/** Last, since a read-only folder cannot be written. */
async function setModes(steps: readonly Step[]): Promise<void> {
  for (const step of steps.toSorted((a, b) => pathDepth(b) - pathDepth(a))) {
    const { path, before } = step.change;
    if (!isFolder(before)) continue;
    const above = await pinFolder(dirname(path));
    try {
      const folder = openSync(above.at(basename(path)), FOLDER_FLAGS);
      try {
        fchmodSync(folder, before.folder);
      } finally {
        closeSync(folder);
      }
    } finally {
      await above.close();
    }
  }
}

interface PutBack {
  readonly name: string;
  readonly copy: Extract<FileCopy, { hash: string } | { link: string }>;
}

/** Joins changes of several turns. Throws conflict if a file was changed in between. */
export function joinChanges(
  turns: readonly (readonly FileChange[])[],
  root: string,
): readonly FileChange[] {
  const joined = new Map<string, FileChange>();
  for (const change of turns.flat()) {
    const earlier = joined.get(change.path);
    const isNamedOnly = isUnseen(change.before) || isUnseen(change.after);
    if (earlier !== undefined && !isNamedOnly && !isSameContent(earlier.after, change.before)) {
      throw stateConflict(
        `${relative(root, change.path)} was changed by someone else between these messages. ` +
          "Nothing was reverted; undo only the later message.",
      );
    }
    joined.set(change.path, earlier === undefined ? change : { ...earlier, after: change.after });
  }
  return [...joined.values()];
}

async function putBack(
  path: string,
  files: readonly PutBack[],
  { store, token }: Restoration,
): Promise<void> {
  const folder = await createAndPinFolder(path);
  try {
    for (const { name, copy } of files) {
      const target = { path: folder.at(name), draft: draftPath(folder, name, token) };
      rmSync(target.draft, { force: true });
      if ("link" in copy) replaceLink(target, copy.link);
      else replaceFile(target, { content: store.get(copy.hash), mode: copy.mode });
    }
  } finally {
    await folder.close();
  }
}

function draftPath(folder: PinnedFolder, name: string, token: string): string {
  return folder.at(`.${name.slice(0, 100)}.${token}.tmp`);
}

interface Replacement {
  readonly path: string;
  readonly draft: string;
}

function replaceLink({ path, draft }: Replacement, target: string): void {
  symlinkSync(target, draft);
  renameSync(draft, path);
}

function replaceFile(
  { path, draft }: Replacement,
  { content, mode }: { readonly content: Buffer; readonly mode: number },
): void {
  try {
    const file = openSync(draft, CREATE_FLAGS, 0o600);
    try {
      writeFileSync(file, content);
      const old = lstatSync(path, { throwIfNoEntry: false });
      if (old !== undefined && old.uid !== process.getuid?.()) restoreOwner(file, old);
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function restoreOwner(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (!["EPERM", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Expected: not empty, or already removed.
  }
}

function describeChangesSince({ root, store }: Restoration, steps: readonly Step[]) {
  const diffs = steps.slice(0, MAX_SHOWN_DIFFS).map(({ change: { path, after } }) => {
    const relativePath = relative(root, path);
    const left = after !== null && "hash" in after ? store.get(after.hash).toString("utf8") : "";
    return (
      unifiedDiff(relativePath, left, readCurrentText(path)).slice(0, MAX_SHOWN_CHARACTERS) ||
      relativePath
    );
  });
  const more = steps.length - diffs.length;
  const count = steps.length === 1 ? "1 file was" : `${steps.length} files were`;
  return stateConflict(
    stripControl(
      `${count} changed since. Nothing was reverted. Restore them first, or keep them.\n` +
        `${diffs.join("\n")}${more > 0 ? `\n… and ${more} more` : ""}`,
    ),
  );
}

function readCurrentText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
