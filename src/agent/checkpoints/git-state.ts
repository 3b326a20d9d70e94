const FILES = new Set([
  ".git/HEAD",
  ".git/ORIG_HEAD",
  ".git/MERGE_HEAD",
  ".git/MERGE_MODE",
  ".git/MERGE_MSG",
  ".git/CHERRY_PICK_HEAD",
  ".git/REVERT_HEAD",
  ".git/index",
  ".git/packed-refs",
  ".git/refs/stash",
  ".git/logs",
  ".git/logs/refs",
  ".git/logs/refs/stash",
]);
/** Branches, tags, and what is kept of a rebase that has not ended. */
const FOLDERS = [".git/refs/heads", ".git/refs/tags", ".git/rebase-merge", ".git/rebase-apply"];

export function isOfGit(path: string): boolean {
  return path === ".git" || path.startsWith(".git/");
}

/** True if a path in the repository is one of those; objects and settings are not. */
export function isGitInternal(path: string): boolean {
  if (path.endsWith(".lock")) return false;
  if (FILES.has(path) || path === ".git/refs") return true;
  return FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
