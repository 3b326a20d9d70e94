import { randomBytes } from "node:crypto";
import { cp, mkdir, readdir, readlink, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { pinFolder } from "../documents/pinned-folder.ts";
import { runByGit } from "../tools/project-paths.ts";
import {
  findGuarded,
  foldersNamedBy,
  type GuardedPaths,
  inspectPath,
  isMissing,
  OwnAdditions,
  readSmall,
  rethrowShortage,
} from "./find-guarded.ts";
import { findHarmful, runsByRebase, WATCHED_NAMES } from "./find-harmful.ts";
import { GuardNotes, type PendingCheck } from "./guard-notes.ts";
import type { GuardedProject } from "./sandbox-messages.ts";

/** Files that other programs run or load, by path, with a key that changes with a link. */
async function readExisting(
  { folders, links, named, unread }: GuardedPaths,
  runByGit: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const watched = [
    ...named,
    ...runByGit,
    ...folders.flatMap((folder) => WATCHED_NAMES.map((name) => join(folder, name))),
    ...links,
    ...unread,
  ];
  const keys = await Promise.all(watched.map(pathKey));
  return new Map(
    watched.flatMap((path, index) => {
      const key = keys[index];
      return key === undefined ? [] : [[path, key] as const];
    }),
  );
}

/** Undefined if it is missing, or is a rebase that runs no command. */
async function pathKey(path: string): Promise<string | undefined> {
  const info = await inspectPath(path);
  if (info === undefined) return undefined;
  if (basename(path) === "rebase-merge" && !(await runsByRebase(path))) return undefined;
  if (!info.isSymbolicLink()) return path;
  return `${path} -> ${await readlink(path).catch(rethrowShortage)}`;
}

/** Parts of a shared repository that a commit in a linked worktree writes. */
const SHARED_GIT_NAMES = new Set([
  "objects",
  "refs",
  "logs",
  "packed-refs",
  "worktrees",
  "lfs",
  "rr-cache",
]);

/** Parts of a shared repository that commands of a linked worktree must not write. */
async function listOthers([own, common]: readonly string[]): Promise<readonly string[]> {
  if (own === undefined || common === undefined || own === common) return [];
  const top = (await namesIn(common)).filter(
    (name) => !SHARED_GIT_NAMES.has(name) && !name.endsWith(".lock"),
  );
  const trees = (await namesIn(join(common, "worktrees"))).map((name) => join("worktrees", name));
  return [...top, ...trees].map((name) => join(common, name)).filter((path) => path !== own);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

async function makeHooksFolder(folder: string): Promise<void> {
  if (!folder.endsWith(".git")) return;
  await mkdir(join(folder, "hooks")).catch((error: NodeJS.ErrnoException) => {
    // It exists; or it belongs to another user, and commands cannot write there either.
    if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(error.code ?? "")) throw error;
  });
}

/** Time between checks, which take at most this share of the time. */
const CHECK_INTERVAL_MS = 1_000;
const CHECK_TIME_RATIO = 1 / 20;
/** Time that a command may outlive the last record of its process. */
const PROCESS_GRACE_MS = 5_000;

/**
 * Protects files that git, editors and other agents run or load outside of the sandbox. Existing
 * ones are mounted read-only. New ones are checked when the command ends and moved away unless
 * harmless; repositories also while it runs. Files that the user adds meanwhile stay. Missing files
 * get no mount, which would show as an empty file.
 */
export class ProjectGuard {
  readonly #project: GuardedProject;
  #accepted: ReadonlySet<string> = new Set();
  #running = 0;
  #owes = false;
  /** Serialized: one command's files must not count as present before another. */
  #last: Promise<unknown> = Promise.resolve();
  #isBegun = false;
  #nextLook: NodeJS.Timeout | undefined;
  readonly #unreported = new Map<string, string>();

  #runByGit: readonly string[] = [];
  readonly #notify: (notice: string) => void;

  readonly #additions: OwnAdditions;
  readonly #notes: GuardNotes;

  /** `tell` notifies the user; `work` measures what commands have done so far. */
  constructor(
    project: GuardedProject,
    notify: (notice: string) => void,
    work: () => string | undefined,
  ) {
    this.#project = project;
    this.#notify = notify;
    this.#additions = new OwnAdditions(work);
    this.#notes = new GuardNotes(project);
  }

  /** Paths that the next command must not write. Throws unavailable if any cannot be checked. */
  before(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      try {
        await this.#lookFirst();
        const found = await findGuarded(this.#project);
        if (found.isPartly) throw tooManyFoldersError();
        this.#runByGit = await runByAnyGit(this.#project.root, found);
        // A missing folder would let commands create one with a hook.
        await Promise.all(found.folders.map(makeHooksFolder));
        const existing = await readExisting(found, this.#runByGit);
        const existingPaths = [...existing.keys()];
        if (this.#running === 0) {
          this.#accepted = new Set(existing.values());
          await this.#additions.begin(existingPaths);
          await this.#notes.begin([...this.#accepted]);
        }
        this.#running += 1;
        this.#lookAgainIn(CHECK_INTERVAL_MS);
        return [...existingPaths, ...(await listOthers(this.#project.gitFolders ?? []))];
      } catch (error) {
        throw error instanceof CairnError ? error : uncheckedWarning(error);
      }
    });
  }

  async #lookFirst(): Promise<void> {
    if (!this.#isBegun) await this.#takeUp();
    this.#isBegun = true;
    if (this.#running > 0) await this.#moveRepositories();
    else if (this.#owes) await this.#moveAll();
  }

  /** Moves files away that commands created; returns sentences for the model and the user. */
  after(): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      this.#running = Math.max(0, this.#running - 1);
      if (this.#running === 0) this.#stopLooking();
      try {
        await this.#moveAll();
        if (this.#running === 0 && !this.#owes) await this.#notes.end();
      } catch (error) {
        this.#owes = true;
        this.#unreported.set(
          "files created by the command",
          `could not be checked (${messageOf(error)}); commands are disabled until it is`,
        );
      }
      const reports = [...this.#unreported].map(([path, target]) => `${path} ${target}`);
      this.#unreported.clear();
      return reports;
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #takeUp(): Promise<void> {
    for (const { from, to } of await this.#notes.unreported()) await this.#reportMoved(from, to);
    for (const pending of await this.#notes.loadPendingChecks()) {
      const found = await findGuarded(this.#project);
      this.#runByGit = await runByAnyGit(this.#project.root, found);
      await this.#moveAside(() => true, pending);
      await pending.done();
    }
  }

  #lookAgainIn(milliseconds: number): void {
    if (this.#nextLook !== undefined) return;
    const timer = setTimeout(async () => {
      const began = performance.now();
      await this.#inTurn(async () => {
        if (this.#running === 0) return;
        await this.#moveRepositories();
        await this.#notes.goOn();
      }).catch((error: unknown) => {
        this.#unreported.set(
          "files created by the command",
          `could not be checked (${messageOf(error)})`,
        );
      });
      if (this.#nextLook !== timer) return;
      this.#nextLook = undefined;
      const took = performance.now() - began;
      this.#lookAgainIn(Math.max(CHECK_INTERVAL_MS, took / CHECK_TIME_RATIO));
    }, milliseconds).unref();
    this.#nextLook = timer;
  }

  #stopLooking(): void {
    clearTimeout(this.#nextLook);
    this.#nextLook = undefined;
  }

  async #moveAll(): Promise<void> {
    this.#owes = await this.#moveAside(() => true);
  }

  /** Other files may be the user's current work; a repository's origin can be determined. */
  async #moveRepositories(): Promise<void> {
    await this.#moveAside((found, path) => !this.#isNamed(found, path));
  }

  #isNamed({ named, unread }: GuardedPaths, path: string): boolean {
    return named.includes(path) || unread.includes(path) || this.#runByGit.includes(path);
  }

  async #moveAside(
    counts: (found: GuardedPaths, path: string) => boolean,
    pending?: PendingCheck,
  ): Promise<boolean> {
    const found = await this.#additions.look(async () => {
      const things = await findGuarded(this.#project);
      const existing = await readExisting(things, this.#runByGit);
      return { things: { ...things, existing }, paths: [...existing.keys()] };
    });
    if (found.isPartly) {
      this.#unreported.set("the project", "has too many folders to check; commands are disabled");
    }
    for (const path of (await this.#suspicious(found, pending)).filter((one) =>
      counts(found, one),
    )) {
      const to = await setAside(path, this.#project, (target) => this.#notes.moving(path, target));
      if (to === undefined) continue;
      this.#unreported.set(relative(this.#project.root, path), `to ${to}`);
      await this.#reportMoved(path, to);
    }
    return found.isPartly;
  }

  async #reportMoved(path: string, to: string): Promise<void> {
    this.#notify(
      `${relative(this.#project.root, path)} was created during a command of the agent and would be run or loaded by git, an editor or an agent. It was moved to ${to}. If it is yours, move it back.`,
    );
    await this.#notes.recordReported(to);
  }

  async #suspicious(found: GuardSnapshot, pending?: PendingCheck): Promise<readonly string[]> {
    const accepted = pending === undefined ? this.#accepted : new Set(pending.accepted);
    const fresh = [...found.existing].flatMap(([path, key]) =>
      accepted.has(key) || this.#additions.has(path) ? [] : [path],
    );
    const lists = await Promise.all(fresh.map((path) => findHarmful(path, found, this.#project)));
    if (pending === undefined) return lists.flat();
    const made = await Promise.all(lists.flat().map((path) => isMadeBefore(path, pending.seenAt)));
    return lists.flat().filter((_path, index) => made[index]);
  }
}

interface GuardSnapshot extends GuardedPaths {
  readonly existing: ReadonlyMap<string, string>;
}

/** A config without these words names no program. */
const PROGRAM_SETTING =
  /path|fsmonitor|command|pager|editor|askpass|gitproxy|clean|smudge|process|textconv|external|driver|helper|program|cmd|pack|update|alias|hook/i;

async function runByAnyGit(root: string, { folders, links }: GuardedPaths) {
  const trees = new Set([root]);
  const check = async (tree: string, ofGit: readonly string[]) => {
    const files = ofGit.flatMap((one) => [join(one, "config"), join(one, "config.worktree")]);
    const texts = await Promise.all(files.map(readSmall));
    if (texts.some((text) => PROGRAM_SETTING.test(text ?? ""))) trees.add(tree);
  };
  for (const folder of folders) {
    if (basename(folder) === ".git") await check(dirname(folder), [folder]);
  }
  for (const link of links) await check(dirname(link), await foldersNamedBy(link));
  const paths: string[] = [];
  for (const tree of trees) paths.push(...(await runByGit(tree)));
  return [...new Set(paths)];
}

/** False for files created long after the commands had ended. */
async function isMadeBefore(path: string, seenAt: number): Promise<boolean> {
  const info = await inspectPath(path);
  return info !== undefined && info.birthtimeMs <= seenAt + PROCESS_GRACE_MS;
}

function tooManyFoldersError(): CairnError {
  return new CairnError(
    "unavailable",
    "No command runs: the project has too many folders to check for files that git or an editor would run. Remove unneeded folders, or start cairn in a subfolder.",
  );
}

function uncheckedWarning(error: unknown): CairnError {
  return new CairnError(
    "unavailable",
    `No command runs: the project could not be checked for files that git or an editor would run (${messageOf(error)}). Try again.`,
  );
}

/**
 * Moves a file or folder of the project to a folder of its own. `note` records the new path first.
 * Undefined if it is gone.
 */
async function setAside(
  path: string,
  { root, asideFolder }: GuardedProject,
  note: (to: string) => Promise<void>,
): Promise<string | undefined> {
  const at = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const asidePath = join(asideFolder, `${at}-${randomBytes(4).toString("hex")}`);
  const target = join(asidePath, isInside(root, path) ? relative(root, path) : basename(path));
  // A running command may replace the folder by a link.
  const folder = await pinFolder(dirname(path)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (folder === undefined) return undefined;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await note(target);
    return (await move(folder.at(basename(path)), target)) ? target : undefined;
  } finally {
    await folder.close();
  }
}

async function move(from: string, target: string): Promise<boolean> {
  try {
    await rename(from, target);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // Copied completely before the original is removed.
    await cp(from, target, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
    return true;
  }
}
