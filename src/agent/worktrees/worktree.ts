import { createHash, randomBytes } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { disableFilters } from "../../shared/safe-git.ts";
import type { Worktree } from "../ports/worktree.ts";
import { git, tryGit } from "./git.ts";

const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,39}$/i;
const NOTE_FILE = "worktree.json";
const note = z.object({
  name: z.string(),
  project: z.string(),
  createdAt: z.string(),
  base: z.string(),
  root: z.string(),
  prefix: z.string(),
});

/** Ignored folders of packages, copied into a worktree so that tests run there. */
const DEPENDENCY_FOLDERS = new Set(["node_modules", ".venv", "venv"]);
const MAX_DEPENDENCY_DEPTH = 3;

export interface WorktreeRequest {
  readonly project: string;
  readonly dataDir: string;
  readonly name: string;
  readonly clock: Clock;
}

export function checkWorktreeName(name: string): void {
  if (
    NAME_PATTERN.test(name) &&
    !name.includes("..") &&
    !name.endsWith(".lock") &&
    !name.endsWith(".")
  ) {
    return;
  }
  throw invalidInput(
    `worktree: "${name}" is not a valid name. Use 1 to 40 letters, digits, dots, underscores or hyphens, and begin with a letter or digit.`,
  );
}

export function branchName(name: string): string {
  return `cairn/${name}`;
}

/**
 * Adds a git worktree on a new branch at the project's commit and applies uncommitted and untracked
 * files. Throws `invalid_input` outside of git and `conflict` for a taken name.
 */
export async function createWorktree(request: WorktreeRequest): Promise<Worktree> {
  const { dataDir, name, clock } = request;
  checkWorktreeName(name);
  const project = resolve(request.project);
  const top = await tryGit(project, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) {
    throw invalidInput(
      `worktree: ${project} is not in a git repository. Run \`git init\` and commit first, or work in the project itself.`,
    );
  }
  const head = await tryGit(project, ["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
  if (head === undefined) {
    throw invalidInput(
      `worktree: ${project} has no commit yet. Make the first commit, then retry.`,
    );
  }
  const folder = join(worktreesFolder(dataDir, project), name);
  if (existsSync(join(folder, NOTE_FILE))) {
    throw stateConflict(
      `worktree: "${name}" exists already. Choose another name, or remove it with \`cairn worktree discard ${name}\`.`,
    );
  }
  const root = join(folder, "tree", basename(top) || "project");
  const prefix = relative(realpathSync(top), realpathSync(project)).split(sep).join("/");
  const config = await disableFilters(top);
  await removeLeftovers(project, folder, root);
  makeFolder(join(folder, "tree"));
  try {
    const tree = await snapshot(top, join(folder, "snapshot-index"));
    const base = await commitTree(top, tree, [head], "State of the project");
    await git(
      top,
      ["worktree", "add", "--quiet", "--no-checkout", "-B", branchName(name), root, head],
      {
        config,
      },
    );
    await git(top, ["update-ref", refName(name), base]);
    await git(root, ["read-tree", "--reset", "-u", tree], { config });
    await git(root, ["read-tree", head], { config });
    await git(root, ["update-index", "-q", "--refresh"], { config, allowedCodes: [0, 1] });
    await copyDependencies(top, root);
    const createdAt = toTimestamp(clock.now());
    const fields = { name, project, createdAt, base, root, prefix };
    writeFileAtomic.sync(join(folder, NOTE_FILE), `${JSON.stringify(fields)}\n`, { mode: 0o600 });
    return toWorktree(fields, folder);
  } catch (error) {
    await removeLeftovers(project, folder, root);
    throw error;
  }
}

export function listWorktrees(dataDir: string, project: string): readonly Worktree[] {
  const folder = worktreesFolder(dataDir, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => readWorktree(join(folder, name)) ?? [])
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Throws `not_found`. */
export function findWorktree(dataDir: string, project: string, name: string): Worktree {
  checkWorktreeName(name);
  const found = readWorktree(join(worktreesFolder(dataDir, project), name));
  if (found !== undefined) return found;
  const names = listWorktrees(dataDir, project).map((one) => one.name);
  const known = names.length === 0 ? " There are none." : didYouMean(name, names);
  throw notFound(`There is no worktree "${name}" of ${resolve(project)}.${known}`);
}

export async function removeWorktree(
  { name, project, folder, root }: Worktree,
  { keepBranch = false }: { readonly keepBranch?: boolean } = {},
): Promise<void> {
  await removeLeftovers(project, folder, root);
  await tryGit(project, ["update-ref", "-d", refName(name)]);
  if (!keepBranch) await tryGit(project, ["branch", "-q", "-D", branchName(name)]);
}

/**
 * Writes the files of a work tree, without ignored ones, as a tree object and returns its id. The
 * index and branches stay unchanged; filters do not run.
 */
export async function snapshot(top: string, indexFile: string): Promise<string> {
  const config = await disableFilters(top);
  const own = (
    await git(top, ["rev-parse", "--path-format=absolute", "--git-path", "index"])
  ).trim();
  rmSync(indexFile, { force: true });
  if (existsSync(own)) {
    const { atime, mtime } = statSync(own);
    copyFileSync(own, indexFile, constants.COPYFILE_FICLONE);
    // git compares this time with those of files to find ones that changed right after the index was written.
    utimesSync(indexFile, atime, mtime);
  }
  try {
    await git(top, ["add", "--all", "--", "."], { index: indexFile, config });
    return (await git(top, ["write-tree"], { index: indexFile, config })).trim();
  } finally {
    rmSync(indexFile, { force: true });
    rmSync(`${indexFile}.lock`, { force: true });
  }
}

export async function commitTree(
  top: string,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const identity = (await tryGit(top, ["config", "user.email"]))
    ? []
    : ["-c", "user.name=cairn", "-c", "user.email=cairn@localhost"];
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  return (await git(top, args, { input: `${message}\n`, config: identity })).trim();
}

/** Next to the data folder, which is hidden from commands. */
function worktreesFolder(dataDir: string, project: string): string {
  const full = resolve(project);
  const key = createHash("sha256").update(full).digest("hex").slice(0, 12);
  return join(`${resolve(dataDir)}-worktrees`, `${basename(full)}-${key}`);
}

function readWorktree(folder: string): Worktree | undefined {
  const file = join(folder, NOTE_FILE);
  if (!existsSync(file)) return undefined;
  const { data } = note.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return data === undefined ? undefined : toWorktree(data, folder);
}

function toWorktree(fields: z.output<typeof note>, folder: string): Worktree {
  return { ...fields, folder, tree: join(fields.root, fields.prefix) };
}

/** Protects the snapshot from garbage collection. */
function refName(name: string): string {
  return `refs/cairn/worktrees/${name}`;
}

async function removeLeftovers(project: string, folder: string, root: string): Promise<void> {
  await tryGit(project, ["worktree", "remove", "--force", "--force", root]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  await tryGit(project, ["worktree", "prune"]);
}

async function copyDependencies(from: string, to: string): Promise<void> {
  for (const path of await dependencyFolders(from, "", MAX_DEPENDENCY_DEPTH)) {
    if (existsSync(join(to, path))) continue;
    mkdirSync(join(to, path, ".."), { recursive: true });
    await cp(join(from, path), join(to, path), {
      ...{ recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE },
    });
  }
}

async function dependencyFolders(
  root: string,
  folder: string,
  depth: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === ".git") continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (DEPENDENCY_FOLDERS.has(entry.name)) found.push(path);
    else if (depth > 0) found.push(...(await dependencyFolders(root, path, depth - 1)));
  }
  return found;
}

export function temporaryNameFor(path: string): string {
  return join(
    path,
    "..",
    `.${basename(path).slice(0, 100)}.cairn-${randomBytes(6).toString("hex")}`,
  );
}
