import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { GuardedThings } from "./find-guarded.ts";
import { lookAt } from "./look-at.ts";

/** Of a repository: by these git runs programs, or reads its config from elsewhere. */
const WATCHED = ["config", "config.worktree", "commondir", "hooks"];

/** What is there of all that is acted upon; `runByGit` as the function of that name finds it. */
export async function existingOf(
  { folders, links, named, unread }: GuardedThings,
  runByGit: readonly string[],
): Promise<readonly string[]> {
  const watched = [
    ...named,
    ...runByGit,
    ...folders.flatMap((folder) => WATCHED.map((name) => join(folder, name))),
    ...links,
    ...unread,
  ];
  const there = await Promise.all(watched.map(lookAt));
  return watched.filter((_path, index) => there[index] !== undefined);
}

export async function makeHooksFolder(folder: string): Promise<void> {
  if (!folder.endsWith(".git")) return;
  await mkdir(join(folder, "hooks")).catch((error: NodeJS.ErrnoException) => {
    // There already; or of another user, and then commands cannot write there either.
    if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(error.code ?? "")) throw error;
  });
}
