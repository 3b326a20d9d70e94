import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, relative } from "node:path";
import { stateConflict } from "../../kernel/errors.ts";
import { stripControl } from "../../kernel/strip-control.ts";
import { type PinnedFolder, pinFolder, pinFolderMaking } from "../documents/pinned-folder.ts";
import { unifiedDiff } from "../tools/unified-diff.ts";
import type { BlobStore } from "./blob-store.ts";
import { type FileCopy, isSameContent, isSameCopy, stateOf } from "./file-copy.ts";
import type { FileChange } from "./turn-record.ts";

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const SHOWN_DIFFS = 5;
const SHOWN_CHARACTERS = 2_000;

export interface Restoration {
  readonly root: string;
  readonly store: BlobStore;
  /** From what the files are now (`after`) to what they are to be (`before`). */
  readonly changes: readonly FileChange[];
  /** To be removed when nothing is left in them. */
  readonly folders: readonly string[];
}

/**
 * Puts files back. All are checked before the first is touched: one that is neither as it was left
 * nor as it is to be throws conflict, with the difference. Each is written through its folder, held
 * open: a command that swaps that for a link leads nowhere. Returns what was done.
 */
export async function restoreFiles(restoration: Restoration): Promise<{
  readonly files: string[];
  readonly notKept: string[];
}> {
  const { root, store, changes, folders } = restoration;
  const shown = (path: string) => relative(root, path);
  const states = changes.map((change) => ({ change, now: stateOf(change.path) }));
  const foreign = states.filter(
    ({ change, now }) => !isSameContent(now, change.after) && !isSameContent(now, change.before),
  );
  if (foreign.length > 0)
    throw changedSince(
      restoration,
      foreign.map(({ change }) => change),
    );
  const files: string[] = [];
  const notKept: string[] = [];
  const byFolder = new Map<string, PutBack[]>();
  for (const { change, now } of states) {
    const { path, before } = change;
    if (isSameCopy(now, before)) continue;
    if (before !== null && !("hash" in before)) {
      notKept.push(shown(path));
      continue;
    }
    files.push(shown(path));
    const folder = dirname(path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { name: basename(path), copy: before }]);
  }
  for (const [folder, wanted] of byFolder) await putBack(folder, wanted, store);
  for (const folder of folders.toReversed()) removeIfEmpty(folder);
  return { files, notKept };
}

interface PutBack {
  readonly name: string;
  readonly copy: Extract<FileCopy, { hash: string }> | null;
}

/**
 * The changes of several turns as one, from the first state to the last. Throws conflict where
 * somebody else changed a file between two of them.
 */
export function joinChanges(
  turns: readonly (readonly FileChange[])[],
  root: string,
): readonly FileChange[] {
  const joined = new Map<string, FileChange>();
  for (const change of turns.flat()) {
    const earlier = joined.get(change.path);
    if (earlier !== undefined && !isSameContent(earlier.after, change.before)) {
      throw stateConflict(
        `${relative(root, change.path)} was changed by somebody else between two of the messages. ` +
          "Nothing was taken back; undo the later message alone.",
      );
    }
    joined.set(change.path, earlier === undefined ? change : { ...earlier, after: change.after });
  }
  return [...joined.values()];
}

async function putBack(path: string, wanted: readonly PutBack[], store: BlobStore): Promise<void> {
  const isMade = wanted.some(({ copy }) => copy !== null);
  const folder = await (isMade ? pinFolderMaking(path) : pinFolder(path)).catch((error) => {
    // With the folder all is gone that was to be removed from it.
    if (!isMade && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (folder === undefined) return;
  try {
    for (const { name, copy } of wanted) {
      if (copy === null) rmSync(folder.at(name), { force: true });
      else replaceFile(folder, name, { content: store.get(copy.hash), mode: copy.mode });
    }
  } finally {
    await folder.close();
  }
}

/** In one step, with the owner of the file that is there. */
function replaceFile(
  folder: PinnedFolder,
  name: string,
  { content, mode }: { readonly content: Buffer; readonly mode: number },
): void {
  const draft = folder.at(`.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = openSync(draft, NEW_FILE, 0o600);
    try {
      writeFileSync(file, content);
      const old = lstatSync(folder.at(name), { throwIfNoEntry: false });
      if (old !== undefined && old.uid !== process.getuid?.()) giveTo(file, old);
      fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
    renameSync(draft, folder.at(name));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Where that may be done; else it is the user's own from now on. */
function giveTo(file: number, { uid, gid }: Stats): void {
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
    // Something else lies in it by now, or it is gone.
  }
}

function changedSince({ root, store }: Restoration, changes: readonly FileChange[]) {
  const diffs = changes.slice(0, SHOWN_DIFFS).map(({ path, after }) => {
    const shown = relative(root, path);
    const left = after !== null && "hash" in after ? store.get(after.hash).toString("utf8") : "";
    return unifiedDiff(shown, left, textNow(path)).slice(0, SHOWN_CHARACTERS) || shown;
  });
  const more = changes.length - diffs.length;
  const count = changes.length === 1 ? "1 file was" : `${changes.length} files were`;
  return stateConflict(
    stripControl(
      `${count} changed since. Nothing was taken back. Put them back first, or keep them.\n` +
        `${diffs.join("\n")}${more > 0 ? `\n… and ${more} more` : ""}`,
    ),
  );
}

function textNow(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
