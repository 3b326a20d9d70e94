import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { stateConflict } from "../../kernel/errors.ts";
import { stripControl } from "../../kernel/strip-control.ts";
import { unifiedDiff } from "../tools/unified-diff.ts";
import type { BlobStore } from "./blob-store.ts";
import { type FileCopy, isSameCopy, stateOf } from "./file-copy.ts";
import type { FileChange } from "./turn-record.ts";

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
 * nor as it is to be throws conflict, with the difference. Returns what was done.
 */
export function restoreFiles(restoration: Restoration): {
  readonly files: string[];
  readonly notKept: string[];
} {
  const { root, store, changes, folders } = restoration;
  const shown = (path: string) => relative(root, path);
  const states = changes.map((change) => ({ change, now: stateOf(change.path) }));
  const foreign = states.filter(
    ({ change, now }) => !isSameCopy(now, change.after) && !isSameCopy(now, change.before),
  );
  if (foreign.length > 0)
    throw changedSince(
      restoration,
      foreign.map(({ change }) => change),
    );
  const files: string[] = [];
  const notKept: string[] = [];
  for (const { change, now } of states) {
    const { path, before } = change;
    if (isSameCopy(now, before)) continue;
    if (before !== null && !("hash" in before)) notKept.push(shown(path));
    else {
      putBack(path, before, store);
      files.push(shown(path));
    }
  }
  for (const folder of folders.toReversed()) removeIfEmpty(folder);
  return { files, notKept };
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
    if (earlier !== undefined && !isSameCopy(earlier.after, change.before)) {
      throw stateConflict(
        `${relative(root, change.path)} was changed by somebody else between two of the messages. ` +
          "Nothing was taken back; undo the later message alone.",
      );
    }
    joined.set(change.path, earlier === undefined ? change : { ...earlier, after: change.after });
  }
  return [...joined.values()];
}

function putBack(
  path: string,
  copy: Extract<FileCopy, { hash: string }> | null,
  store: BlobStore,
): void {
  refuseLinks(dirname(path));
  if (copy === null) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic.sync(path, store.get(copy.hash), { mode: copy.mode, fsync: false });
}

/** A folder that became a link since leads elsewhere. */
function refuseLinks(folder: string): void {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  if (realpathSync(existing) === existing) return;
  throw stateConflict(`${existing} is a link by now: what lies behind it is not touched.`);
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
