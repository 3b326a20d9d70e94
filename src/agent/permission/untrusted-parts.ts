import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstatSync, readFileSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { isInside } from "../../shared/is-inside.ts";
import { readJsonList, updateJsonList } from "../documents/json-list-file.ts";
import type { ProjectPaths } from "../tools/project-paths.ts";

/** True for a file of a nested repository that is not a submodule. */
function isInOtherRepository(projectRoot: string, path: string): boolean {
  const file = resolve(projectRoot, path);
  if (!isInside(projectRoot, file)) return false;
  const isFolder = readInfo(file)?.isDirectory() === true;
  for (
    let at = isFolder ? file : dirname(file);
    at !== projectRoot && at !== dirname(at);
    at = dirname(at)
  ) {
    const info = readInfo(join(at, ".git"));
    if (info?.isDirectory() === true) return true;
    if (info?.isFile() === true) return !isSubmodule(join(at, ".git"));
  }
  return false;
}

function readInfo(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSubmodule(file: string): boolean {
  return /^gitdir: .*\.git\/modules\//.test(readFileSync(file, "utf8").slice(0, MAX_READ));
}

const MAX_READ = 4096;

/** Above this the project counts as one that may contain another repository. */
const MAX_FOLDERS = 30_000;
const MAX_CONCURRENT_READS = 16;
/** Validity of a result without other repositories. */
const CACHE_TTL_MS = 5_000;
const MAX_WRITTEN = 2_000;

const writtenFile = z.object({ path: z.string(), source: z.string() });

export interface UntrustedPartsOptions {
  readonly projectRoot: string;
  readonly paths: ProjectPaths;
  /** Undefined: written files are not recorded. */
  readonly dataDir: string | undefined;
}

/** Files of nested repositories, and those written after untrusted content was read. */
export class UntrustedParts {
  readonly #options: UntrustedPartsOptions;
  #repository: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: UntrustedPartsOptions) {
    this.#options = options;
  }

  async sourcesOfPath(path: string): Promise<readonly string[]> {
    const { projectRoot, paths } = this.#options;
    const { absolute } = await paths.locate(path);
    if (isInOtherRepository(projectRoot, absolute)) return [`file ${path} (another repository)`];
    if ((await lstat(absolute).catch(() => undefined))?.isDirectory() === true) {
      return this.#sourcesBelow(absolute);
    }
    const written = await this.#written();
    const found = written.find((one) => one.path === absolute);
    return found === undefined ? [] : [`file ${path} (written after reading ${found.source})`];
  }

  /** A command may read any file of the project, whatever its text. */
  sourcesOfCommand(): Promise<readonly string[]> {
    return this.#sourcesBelow(this.#options.projectRoot);
  }

  /** Records a written file with the source of untrusted content, if any. */
  async noteWritten(path: string, source: string | undefined): Promise<void> {
    const file = this.#file();
    if (file === undefined) return;
    const { absolute } = await this.#options.paths.locate(path);
    const known = await readJsonList(file);
    if (source === undefined && !known.some((one) => one.path === absolute)) return;
    await updateJsonList(file, (list) => {
      const others = list.filter((one) => one.path !== absolute);
      const added = source === undefined ? [] : [{ path: absolute, source }];
      return { list: [...others, ...added].slice(-MAX_WRITTEN), result: undefined };
    });
  }

  async #sourcesBelow(folder: string): Promise<readonly string[]> {
    const { projectRoot } = this.#options;
    if (!isInside(projectRoot, folder)) return [];
    const repository = await this.#otherRepository();
    if (repository === undefined) return [];
    const isBelow = repository === TOO_MANY_MARKER || isInside(folder, repository);
    if (!isBelow && folder !== projectRoot) {
      return (await findOtherRepository(projectRoot, folder)) === undefined
        ? []
        : [`${relative(projectRoot, folder)} (contains another repository)`];
    }
    if (repository === TOO_MANY_MARKER) return ["a project that may contain another repository"];
    return [`${relative(projectRoot, repository)} (another repository)`];
  }

  async #otherRepository(): Promise<string | undefined> {
    const { projectRoot } = this.#options;
    const found = this.#repository;
    if (
      found !== undefined &&
      (found === TOO_MANY_MARKER || isInOtherRepository(projectRoot, found))
    ) {
      return found;
    }
    if (performance.now() - this.#lookedAt < CACHE_TTL_MS) return undefined;
    this.#repository = await findOtherRepository(projectRoot, projectRoot);
    this.#lookedAt = performance.now();
    return this.#repository;
  }

  async #written() {
    const file = this.#file();
    return file === undefined ? [] : readJsonList(file);
  }

  #file() {
    const { dataDir, projectRoot } = this.#options;
    if (dataDir === undefined) return undefined;
    const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 16);
    return { path: join(dataDir, "untrusted-files", `${name}.json`), item: writtenFile };
  }
}

const TOO_MANY_MARKER = "";

/** Returns a nested repository, without those of installed packages. */
async function findOtherRepository(root: string, folder: string): Promise<string | undefined> {
  let next = [folder];
  let looked = 0;
  while (next.length > 0) {
    const batch = next.slice(0, MAX_CONCURRENT_READS);
    next = next.slice(MAX_CONCURRENT_READS);
    looked += batch.length;
    if (looked > MAX_FOLDERS) return TOO_MANY_MARKER;
    const lists = await Promise.all(batch.map(listFolder));
    for (const [index, entries] of lists.entries()) {
      const at = batch[index] ?? "";
      const isOwn = at === root || !entries.some(({ name }) => name === ".git");
      if (!isOwn && isInOtherRepository(root, at)) return at;
      for (const entry of entries) {
        if (entry.isDirectory() && !SKIPPED_NAMES.has(entry.name)) next.push(join(at, entry.name));
      }
    }
  }
  return undefined;
}

const SKIPPED_NAMES: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** An unreadable folder cannot be read by the agent either. */
async function listFolder(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(error.code ?? "")) return [];
    throw error;
  });
}
