import { forkOf, textsAt, unmergedHead } from "./git-files.ts";
import { MEMORY_FOLDER, versionsIn } from "./memory-folder.ts";
import type { MemoryItem } from "./memory-item.ts";
import { readText } from "./read-text.ts";
import type { SyncState } from "./sync-state.ts";

/** The files from which those of now and those of the last time both come, where these do not go on from those. */
export function filesAtFork(
  { head: before, base }: SyncState,
  now: string | undefined,
  { root, types }: FilesRead,
): ReadonlyMap<string, readonly MemoryItem[]> | undefined {
  const isSame = before === undefined || now === undefined || before === now;
  if (base.size === 0 || isSame) return undefined;
  const fork = forkOf(root, before, now);
  return fork === before ? undefined : itemsAt(fork, { root, types });
}

/** The files from which both sides of a merge come that git could not finish. */
export function filesAtMerge(
  now: string | undefined,
  { root, types }: FilesRead,
): ReadonlyMap<string, readonly MemoryItem[]> | undefined {
  const other = now === undefined ? undefined : unmergedHead(root);
  if (now === undefined || other === undefined) return undefined;
  return itemsAt(forkOf(root, now, other), { root, types });
}

interface FilesRead {
  readonly root: string;
  readonly types: readonly string[];
}

function itemsAt(commit: string | undefined, { root, types }: FilesRead) {
  const texts = commit === undefined ? [] : textsAt(root, commit, MEMORY_FOLDER);
  return versionsIn(
    texts.flatMap((text) => readText(text, types).sections.map(({ item }) => item)),
  );
}
