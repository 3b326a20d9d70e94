/** Files in a git folder that record what is checked out, staged or in progress. */
const STATE_FILES: ReadonlySet<string> = new Set([
  "HEAD",
  "ORIG_HEAD",
  "FETCH_HEAD",
  "MERGE_HEAD",
  "MERGE_MODE",
  "MERGE_MSG",
  "AUTO_MERGE",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "SQUASH_MSG",
  "index",
  "packed-refs",
  "refs/stash",
  "logs/refs/stash",
]);
/** Folders that exist during a rebase or a series of picks. */
const OPERATION_FOLDERS = ["rebase-merge", "rebase-apply", "sequencer"];
const OPERATION_PATH = new RegExp(`^\\.git/(?:modules/.+/)?(?:${OPERATION_FOLDERS.join("|")})$`);
const STATE_FOLDERS = ["refs/heads", "refs/tags", ...OPERATION_FOLDERS];
const PARENT_FOLDERS: ReadonlySet<string> = new Set(["refs", "logs", "logs/refs"]);
/** Repositories of submodules. */
const MODULES_FOLDER = "modules";
const NON_MODULE_NAMES = new Set([
  "objects",
  "hooks",
  "info",
  "branches",
  "lfs",
  "worktrees",
  "rr-cache",
]);

/** Folders that mark an unfinished operation; git creates others as needed. */
export function isGitOperation(path: string): boolean {
  return OPERATION_PATH.test(path);
}

export function isOfGit(path: string): boolean {
  return path === ".git" || path.startsWith(".git/");
}

/** True for paths of `.git` that record its state, and folders that may contain one. */
export function isGitInternal(path: string, isFolder: boolean): boolean {
  if (path === ".git") return true;
  const inside = path.slice(".git/".length);
  if (inside !== MODULES_FOLDER && !inside.startsWith(`${MODULES_FOLDER}/`))
    return isState(inside, isFolder);
  const segments = inside.split("/").slice(1);
  if (
    segments.some((_, index) => index > 0 && isState(segments.slice(index).join("/"), isFolder))
  ) {
    return true;
  }
  return isFolder && !segments.some((segment) => NON_MODULE_NAMES.has(segment));
}

function isState(path: string, isFolder: boolean): boolean {
  if (path.endsWith(".lock")) return false;
  if (isFolder ? PARENT_FOLDERS.has(path) : STATE_FILES.has(path)) return true;
  return STATE_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
