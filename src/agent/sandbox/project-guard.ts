import { lstat, mkdir, readdir, readlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { CairnError, messageOf } from "../../kernel/errors.ts";
import { openPinnedFile } from "../documents/pinned-folder.ts";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";
import { isInside } from "../tools/project-paths.ts";
import { runByGit } from "../tools/run-by-git.ts";
import { findGuarded, type GuardedThings } from "./find-guarded.ts";
import { OwnAdditions } from "./own-additions.ts";
import type { GuardedProject } from "./sandbox-messages.ts";
import { setAside } from "./set-aside.ts";

const MAX_CONFIG_BYTES = 256 * 1024;
/** Between two looks while commands run; and looking takes at most this share of the time. */
const LOOK_EVERY_MS = 1_000;
const LOOK_SHARE = 1 / 20;

/**
 * Keeps sandboxed commands from what git, editors and other agents act upon later, outside. What is
 * there before a command is mounted read-only; what a command makes anew, wherever that is, is looked
 * at when it ends and moved aside, unless it is harmless; repositories, by which git runs programs
 * unasked, are looked at while it runs, too. What the person makes while a command stands by is left
 * where it is. No mount stands for what does not exist: it would show as
 * an empty file in the user's project.
 */
export class ProjectGuard {
  readonly #project: GuardedProject;
  /** What was there while no command ran, and so is the user's own. */
  #accepted: ReadonlySet<string> = new Set();
  #running = 0;
  /** One look after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #nextLook: NodeJS.Timeout | undefined;
  /** What was moved while commands ran, and where to: the next that ends tells of it. */
  readonly #untold = new Map<string, string>();

  /** What git is told to run of the project; commands cannot change that. */
  #runByGit: readonly string[] = [];
  readonly #tell: (notice: string) => void;

  /** What the person added while commands stood by. */
  readonly #additions: OwnAdditions;

  /**
   * `tell` is for the person, at once: it may be the person's own that was moved. `work` tells what
   * commands have done so far, to compare.
   */
  constructor(
    project: GuardedProject,
    tell: (notice: string) => void,
    work: () => string | undefined,
  ) {
    this.#project = project;
    this.#tell = tell;
    this.#additions = new OwnAdditions(work);
  }

  /**
   * Absolute paths that the command about to start must not write. Throws unavailable where there is
   * more than can be looked at: what is not looked at could be acted upon.
   */
  async before(): Promise<readonly string[]> {
    if (this.#running > 0) await this.#moveRepositories();
    const found = await findGuarded(this.#project.root, this.#project.mostFolders);
    if (found.isPartly) {
      throw new CairnError(
        "unavailable",
        "No command runs: the project has more folders than the sandbox can look through for what git or an editor would act upon. Remove what is not needed, or start cairn in a part of it.",
      );
    }
    this.#runByGit = await runByGit(this.#project.root);
    if (this.#running === 0) {
      this.#accepted = new Set(await this.#existing(found));
      await this.#additions.begin([...this.#accepted]);
    }
    this.#running += 1;
    this.#lookAgainIn(LOOK_EVERY_MS);
    return this.#readOnly(found);
  }

  /** Moves aside what commands made; returns sentences about it, for the model and the person. */
  async after(): Promise<readonly string[]> {
    this.#running = Math.max(0, this.#running - 1);
    if (this.#running === 0) this.#stopLooking();
    await this.#moveAside(() => true);
    const told = [...this.#untold].map(([path, place]) => `${path} ${place}`);
    this.#untold.clear();
    return told;
  }

  #lookAgainIn(milliseconds: number): void {
    if (this.#nextLook !== undefined) return;
    const timer = setTimeout(async () => {
      const began = performance.now();
      await this.#moveRepositories().catch((error: unknown) => {
        this.#untold.set("what was made", `could not be looked at (${messageOf(error)})`);
      });
      if (this.#nextLook !== timer) return;
      this.#nextLook = undefined;
      const took = performance.now() - began;
      this.#lookAgainIn(Math.max(LOOK_EVERY_MS, took / LOOK_SHARE));
    }, milliseconds).unref();
    this.#nextLook = timer;
  }

  #stopLooking(): void {
    clearTimeout(this.#nextLook);
    this.#nextLook = undefined;
  }

  /** An editor's own files may be the user's work of this moment; a repository's are found out. */
  #moveRepositories(): Promise<void> {
    return this.#moveAside((found, path) => !this.#isNamed(found, path));
  }

  #isNamed({ named }: GuardedThings, path: string): boolean {
    return named.includes(path) || this.#runByGit.includes(path);
  }

  #moveAside(counts: (found: GuardedThings, path: string) => boolean): Promise<void> {
    const moved = this.#last.then(async () => {
      const found = await this.#additions.look(async () => {
        const things = await findGuarded(this.#project.root, this.#project.mostFolders);
        return { things, paths: await this.#existing(things) };
      });
      if (found.isPartly)
        this.#untold.set(
          "what is in more folders than",
          "can be looked at: not looked at; no further command runs",
        );
      for (const path of (await this.#suspicious(found)).filter((one) => counts(found, one))) {
        const to = await setAside(path, this.#project);
        if (to === undefined) continue;
        const shown = relative(this.#project.root, path);
        this.#untold.set(shown, `to ${to}`);
        this.#tell(
          `${shown} was made while a command of the agent ran, and git, an editor or an agent would act upon it: it is now ${to}. If it is yours, move it back.`,
        );
      }
    });
    this.#last = moved.catch(() => undefined);
    return moved;
  }

  async #readOnly(found: GuardedThings): Promise<readonly string[]> {
    // Without the folder, a hook could be put into a new one.
    await Promise.all(found.folders.map(makeHooksFolder));
    return this.#existing(found);
  }

  async #existing({ folders, links, named }: GuardedThings): Promise<readonly string[]> {
    const watched = [
      ...named,
      ...this.#runByGit,
      ...folders.flatMap((folder) => WATCHED.map((name) => join(folder, name))),
      ...links,
    ];
    const there = await Promise.all(watched.map((path) => lstat(path).catch(() => undefined)));
    return watched.filter((_path, index) => there[index] !== undefined);
  }

  async #suspicious(found: GuardedThings): Promise<readonly string[]> {
    const { root } = this.#project;
    const fresh = (await this.#existing(found)).filter(
      (path) => !this.#accepted.has(path) && !this.#additions.has(path),
    );
    const lists = await Promise.all(
      fresh.map(async (path): Promise<readonly string[]> => {
        const name = basename(path);
        if (found.links.includes(path)) return (await leadsInto(path, root)) ? [] : [path];
        if (!found.folders.includes(dirname(path))) return [path];
        if (name === "hooks") return liveHooks(path);
        if (name === "commondir") return (await readsAs(path, /^\.\.\/\.\.\n?$/)) ? [] : [path];
        return (await isHarmlessConfig(path)) ? [] : [path];
      }),
    );
    return lists.flat();
  }
}

/** Of a repository: by these git runs programs, or reads its config from elsewhere. */
const WATCHED = ["config", "config.worktree", "commondir", "hooks"];

async function makeHooksFolder(folder: string): Promise<void> {
  if (!folder.endsWith(".git")) return;
  await mkdir(join(folder, "hooks")).catch((error: NodeJS.ErrnoException) => {
    // There already; or of another user, and then commands cannot write there either.
    if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(error.code ?? "")) throw error;
  });
}

/** Hooks that git would run; a path that is no folder is moved as a whole. */
async function liveHooks(path: string): Promise<readonly string[]> {
  if (!(await lstat(path)).isDirectory()) return [path];
  const names = await readdir(path);
  return names.filter((name) => !name.endsWith(".sample")).map((name) => join(path, name));
}

async function isHarmlessConfig(path: string): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && isHarmlessGitConfig(text);
}

async function readsAs(path: string, expected: RegExp): Promise<boolean> {
  const text = await readSmall(path);
  return text !== undefined && expected.test(text);
}

/** Whether a `.git` that is no folder names one in the project, where it is looked at itself. */
async function leadsInto(path: string, root: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined) return true;
  const named = info.isSymbolicLink()
    ? await readlink(path).catch(() => undefined)
    : /^gitdir: (.+?)\s*$/.exec((await readSmall(path)) ?? "")?.[1];
  if (named === undefined) return false;
  const target = isAbsolute(named) ? resolve(named) : resolve(dirname(path), named);
  return isInside(root, target);
}

/** Undefined for what is no regular file of a modest size, or is gone. */
async function readSmall(path: string): Promise<string | undefined> {
  const file = await openPinnedFile(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    return info.isFile() && info.size <= MAX_CONFIG_BYTES ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}
