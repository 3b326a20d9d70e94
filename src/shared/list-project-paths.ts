import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startGit } from "./safe-git.ts";

const SKIPPED_NAMES = new Set([
  "node_modules",
  ".git",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
]);
const MAX_WALKED_ENTRIES = 100_000;
const CHUNK_SIZE = 2_000;

/**
 * Lists paths below `root`, folders with a trailing slash, and reports them in chunks. In a git
 * work tree: tracked files first, then untracked files that are not ignored. Elsewhere: all files,
 * shallow ones first, without dependencies and build output. Never rejects.
 */
export async function listProjectPaths(
  root: string,
  report: (paths: readonly string[]) => void,
): Promise<void> {
  const folders = new Set<string>();
  const emitWithFolders = (files: readonly string[]) => {
    const readable = files.filter((file) => !UNREADABLE_NAME.test(file));
    report([...collectFolders(readable, folders), ...readable]);
  };
  if (!(await listFromGit(root, ["--cached"], emitWithFolders))) return walk(root, report);
  await listFromGit(root, ["--others", "--exclude-standard"], emitWithFolders);
}

/** A blank would end the mention. */
const UNREADABLE_NAME = /[\x00-\x20\x7f-\x9f]/;

function collectFolders(files: readonly string[], known: Set<string>): readonly string[] {
  const added: string[] = [];
  for (const file of files) {
    let end = file.lastIndexOf("/");
    while (end > 0) {
      const folder = file.slice(0, end + 1);
      if (known.has(folder)) break;
      known.add(folder);
      added.push(folder);
      end = file.lastIndexOf("/", end - 1);
    }
  }
  return added;
}

/** Resolves to false if git is missing or this is not a work tree. */
function listFromGit(
  root: string,
  options: readonly string[],
  report: (files: readonly string[]) => void,
): Promise<boolean> {
  const child = startGit(["ls-files", "-z", ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.unref();
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const names = (rest + chunk).split("\0");
    rest = names.pop() ?? "";
    report(names);
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

async function walk(root: string, report: (paths: readonly string[]) => void): Promise<void> {
  let chunk: string[] = [];
  let count = 0;
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readFolder(join(root, folder))) {
      if (SKIPPED_NAMES.has(entry.name) || UNREADABLE_NAME.test(entry.name)) continue;
      const path = folder + entry.name + (entry.isDirectory() ? "/" : "");
      chunk.push(path);
      count += 1;
      if (entry.isDirectory()) folders.push(path);
    }
    if (chunk.length >= CHUNK_SIZE || folders.length === 0 || count >= MAX_WALKED_ENTRIES) {
      report(chunk);
      chunk = [];
    }
    if (count >= MAX_WALKED_ENTRIES) return;
  }
  report(chunk);
}

async function readFolder(path: string) {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch {
    // Expected: an unreadable folder.
    return [];
  }
}
