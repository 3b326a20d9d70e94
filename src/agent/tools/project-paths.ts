import { createHash } from "node:crypto";
import { type FileHandle, lstat, mkdir, readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CairnError, invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { waitForProcessLock } from "../../shared/process-lock.ts";
import { readGitOutput } from "../../shared/safe-git.ts";
import { listNames } from "../documents/list-markdown-files.ts";
import { openPinnedFile } from "../documents/pinned-folder.ts";
import { ALWAYS_PRIVATE, PRIVATE_FILES } from "./private-places.ts";

/** Folders of `.cairn` that a user may have an agent write. */
const WRITABLE_AGENT_FOLDERS = ["skills", "subagents", "commands"];
const MAX_LINKS = 40;

export interface ProjectPathsOptions {
  readonly projectRoot: string;
  /** Absolute; not readable or writable by tools. */
  readonly userConfigDir: string;
  /** Absolute; databases and transcripts are written only by cairn. */
  readonly dataDir: string;
  readonly allowOutsideProject: boolean;
}

/** Hash of each file that a question showed; undefined: it did not exist. */
type ShownFiles = ReadonlyMap<string, string | undefined>;

type Located = Promise<{ readonly absolute: string; readonly root: string }>;

/** State that a permit fixes: resolved paths, and files that were shown. */
interface FixedPaths {
  readonly located: Map<string, Located>;
  readonly shown: ShownFiles;
}

export interface ResolvedPath {
  /** Real path, without symbolic links. */
  readonly absolute: string;
  /** For messages: relative to the project if inside. */
  readonly shown: string;
}

/** Decides by real paths which files a tool may touch. */
export class ProjectPaths {
  readonly projectRoot: string;
  readonly #options: ProjectPathsOptions;
  readonly #changes: Map<string, Promise<void>>;
  readonly #judged: FixedPaths | undefined;

  constructor(
    options: ProjectPathsOptions,
    changes = new Map<string, Promise<void>>(),
    judged?: FixedPaths,
  ) {
    this.#options = options;
    this.projectRoot = options.projectRoot;
    this.#changes = changes;
    this.#judged = judged;
  }

  withOutside(): ProjectPaths {
    const options = { ...this.#options, allowOutsideProject: true };
    return new ProjectPaths(options, this.#changes, this.#judged);
  }

  /**
   * Returns paths for one call: each is resolved once, so a tool opens what was judged even if a
   * folder is replaced by a link.
   */
  forCall(): ProjectPaths {
    return new ProjectPaths(this.#options, this.#changes, { located: new Map(), shown: new Map() });
  }

  /** Refuses to change files that differ from what a question showed. */
  onlyAsShown(reviewedFiles: ShownFiles): ProjectPaths {
    const located = this.#judged?.located ?? new Map<string, Located>();
    return new ProjectPaths(this.#options, this.#changes, { located, shown: reviewedFiles });
  }

  async forReading(path: string): Promise<ResolvedPath> {
    const { absolute: resolved, root } = await this.locate(path);
    if (!isInside(root, resolved) && !(await this.mayReadOutside(resolved)))
      throw outsideError(path);
    const isPrivate = (await this.privatePlaces()).some((path) => isInside(path, resolved));
    if (isPrivate && !(await this.#isSkill(resolved))) {
      throw forbiddenError(
        `"${path}" contains credentials of cairn or other programs, which tools cannot read.`,
      );
    }
    return this.#describe(resolved, root);
  }

  /**
   * Returns real paths that no tool reads: cairn's config and data, logins of programs, and keys,
   * unless the user allowed this call to read them. Folders that contain the project are not
   * included.
   */
  async privatePlaces(): Promise<readonly string[]> {
    const { userConfigDir, dataDir, projectRoot, allowOutsideProject } = this.#options;
    const home = homedir();
    const isAllowed = allowOutsideProject && !isInside(projectRoot, home);
    const names = [...ALWAYS_PRIVATE, ...(isAllowed ? [] : PRIVATE_FILES)];
    const locations = [userConfigDir, dataDir, ...names.map((name) => join(home, name))];
    const real = await Promise.all(locations.map((path) => realPath(path)));
    const root = await realPath(projectRoot);
    return real.filter((path) => !isInside(path, root));
  }

  async mayReadOutside(resolved: string): Promise<boolean> {
    return this.#options.allowOutsideProject || this.#isSkill(resolved);
  }

  /** The user's skills are named in the system prompt and read on demand. */
  async #isSkill(resolved: string): Promise<boolean> {
    const skills = join(this.#options.userConfigDir, "skills");
    // One by one: a skill may be a link to another folder.
    const folders = [skills, ...(await listNames(skills)).map((name) => join(skills, name))];
    for (const folder of folders) {
      if (isInside(await realPath(folder), resolved)) return true;
    }
    return false;
  }

  async forWriting(path: string): Promise<ResolvedPath> {
    const { absolute: resolved, root } = await this.locate(path);
    if (!this.#options.allowOutsideProject && !isInside(root, resolved)) throw outsideError(path);
    for (const folder of [this.#options.userConfigDir, this.#options.dataDir]) {
      const own = await realPath(folder);
      if (isInside(own, resolved) && !isInside(own, root)) {
        throw forbiddenError(`"${path}" belongs to cairn, and tools cannot write it.`);
      }
    }
    this.#refuseOwnFolder(path, resolved, root);
    return this.#describe(resolved, root);
  }

  /** Runs changes of one file one after the other, across runs and threads. */
  async exclusively<T>({ absolute }: ResolvedPath, change: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(absolute) ?? Promise.resolve();
    const result = before.then(() => this.#whileLocked(absolute, change));
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#changes.set(absolute, settled);
    void settled.then(() => {
      if (this.#changes.get(absolute) === settled) this.#changes.delete(absolute);
    });
    return result;
  }

  /** Excludes other processes. */
  async #whileLocked<T>(absolute: string, change: () => Promise<T>): Promise<T> {
    const name = createHash("sha256").update(absolute).digest("hex").slice(0, 32);
    const folder = join(this.#options.dataDir, "locks");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const release = await waitForProcessLock(join(folder, `${name}.lock`));
    try {
      await this.#requireAsShown(absolute);
      return await change();
    } finally {
      release();
    }
  }

  async #requireAsShown(absolute: string): Promise<void> {
    const reviewedFiles = this.#judged?.shown;
    if (
      reviewedFiles?.has(absolute) !== true ||
      reviewedFiles.get(absolute) === (await contentHash(absolute))
    ) {
      return;
    }
    const { shown: name } = this.#describe(absolute, await realPath(this.projectRoot));
    throw stateConflict(
      `"${name}" changed before the user answered. Nothing was written: read it again.`,
    );
  }

  #refuseOwnFolder(path: string, resolved: string, root: string): void {
    const parts = relative(root, resolved).split(sep);
    if (parts.some((part) => part.toLowerCase() === ".git")) {
      throw forbiddenError(`"${path}" belongs to git, and tools cannot write it. Use git.`);
    }
    const [first, second, ...rest] = parts;
    if (first?.toLowerCase() !== ".cairn") return;
    if (WRITABLE_AGENT_FOLDERS.includes(second ?? "") && rest.length > 0) return;
    throw forbiddenError(
      `"${path}" cannot be written by tools: in .cairn they write only skills, subagents and commands.`,
    );
  }

  get allowsOutside(): boolean {
    return this.#options.allowOutsideProject;
  }

  locate(path: string): Located {
    const known = this.#judged?.located.get(path);
    if (known !== undefined) return known;
    const located = this.#locate(path);
    this.#judged?.located.set(path, located);
    return located;
  }

  async #locate(path: string): Located {
    if (path.includes("\0"))
      throw invalidInput("path: a file name must not contain a NUL character.");
    const root = await realPath(this.#options.projectRoot);
    const absolute = isAbsolute(path) ? resolve(path) : resolve(root, path);
    return { absolute: await realPath(absolute), root };
  }

  #describe(absolute: string, root: string): ResolvedPath {
    const inside = relative(root, absolute);
    return { absolute, shown: isInside(root, absolute) ? inside || "." : absolute };
  }
}

/**
 * Resolves the nearest existing parent and appends the rest. A dangling link resolves to where it
 * would be created.
 */
async function realPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (links > MAX_LINKS) throw invalidInput(`"${path}" is a loop of symbolic links.`);
  const parent = dirname(path);
  if (parent === path) return path;
  const info = await lstat(path).catch(() => undefined);
  if (info?.isSymbolicLink()) {
    return realPath(resolve(await realPath(parent, links + 1), await readlink(path)), links + 1);
  }
  return join(await realPath(parent, links), basename(path));
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

function outsideError(path: string): CairnError {
  return forbiddenError(
    `"${path}" leads out of the project. The user can allow it when asked, by a rule in "permission.rules", or by "allowOutsideProject": true in the config.`,
  );
}

function forbiddenError(message: string): CairnError {
  return new CairnError("forbidden", message);
}

export async function contentHash(absolute: string): Promise<string | undefined> {
  const bytes = await readBytes({ absolute, shown: absolute }).catch(() => undefined);
  return bytes === undefined ? undefined : createHash("sha256").update(bytes).digest("hex");
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Throws not_found, or invalid_input for folders, binaries and large files. */
export async function readText(path: ResolvedPath): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.subarray(0, 8192).includes(0)) {
    throw invalidInput(`"${path.shown}" is a binary file.`);
  }
  return bytes.toString("utf8");
}

/** Reads a regular file up to the size limit. */
export async function readBytes(path: ResolvedPath): Promise<Buffer> {
  const file = await openPinnedFile(path.absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      throw notFound(`There is no file "${path.shown}".`);
    }
    // A socket cannot be opened.
    if (error.code === "ENXIO") throw invalidInput(`"${path.shown}" is not a regular file.`);
    throw error;
  });
  try {
    await refuseOtherChanges(file, path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function refuseOtherChanges(file: FileHandle, path: ResolvedPath): Promise<void> {
  const info = await file.stat();
  if (info.isDirectory()) throw invalidInput(`"${path.shown}" is a folder; glob lists its files.`);
  if (!info.isFile()) throw invalidInput(`"${path.shown}" is not a regular file.`);
  if (info.size > MAX_BYTES) {
    throw invalidInput(`"${path.shown}" has ${info.size} bytes, more than ${MAX_BYTES}.`);
  }
}

/** Refuses files that are not UTF-8: an edit would change them. */
export async function readEditableText(path: ResolvedPath): Promise<string> {
  const text = await readText(path);
  if (!text.includes("\uFFFD")) return text;
  const bytes = await readBytes(path);
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw invalidInput(`"${path.shown}" is not UTF-8 and would be damaged by an edit.`);
}

const LOCK_TIMEOUT_MS = 10_000;
/** Keys, in lower case, whose value git runs or reads further config from. */
const PROGRAM_SETTING =
  /^(core\.(hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)|include\.path|includeif\..*\.path|filter\..*\.(clean|smudge|process)|diff\.(external|.*\.(textconv|command))|merge\..*\.driver|alias\..*|credential\.(.*\.)?helper|gpg\.(.*\.)?program|sequence\.editor|interactive\.difffilter|(difftool|mergetool|browser|man)\..*\.(cmd|path)|pager\..*|hook\..*\.command|remote\..*\.(uploadpack|receivepack)|submodule\..*\.update|trailer\..*\.(command|cmd))$/;

/**
 * Returns project files that git's config names to run: hooks, and scripts of filters, drivers and
 * aliases. They need not exist.
 */
export async function runByGit(root: string): Promise<readonly string[]> {
  const listed = await readGitOutput(["config", "-z", "--list"], {
    cwd: root,
    timeout: LOCK_TIMEOUT_MS,
  }).catch((error: { readonly code?: unknown }) => {
    // Without git or with a broken config, it runs nothing.
    if (error.code === "ENOENT" || typeof error.code === "number") return "";
    throw error;
  });
  const paths = listed.split("\0").flatMap((entry) => {
    const end = entry.indexOf("\n");
    const key = entry.slice(0, end).toLowerCase();
    if (end === -1 || !PROGRAM_SETTING.test(key)) return [];
    const value = entry.slice(end + 1);
    // The value is a path: a folder of hooks or a further config.
    return /path$/.test(key)
      ? [resolve(root, value), ...settingFiles(value, root)]
      : settingFiles(value, root);
  });
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])].filter((path) => path !== root && isInside(root, path));
}

/** Words of a command that may be files of the project: `./filter.sh` of `sh ./filter.sh %f`. */
function settingFiles(value: string, root: string): readonly string[] {
  const words = value.replace(/^!/, "").split(/[\s'"=;|&()<>$`]+/);
  return words
    .filter((word) => word !== "" && !word.startsWith("-") && /[./]/.test(word))
    .flatMap((word) => [resolve(root, word), resolve(join(root, ".git"), word)])
    .filter((path) => !isInside(join(root, ".git"), path));
}
