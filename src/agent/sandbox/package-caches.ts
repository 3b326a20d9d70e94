import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat, symlink, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { randomIds } from "../../shared/ids.ts";
import { quoteForShell } from "../../shared/text.ts";
import { isMissing } from "./find-guarded.ts";

export interface PackageCaches {
  readonly folder: string;
  /** Folders of the user that seed them; commands read them. */
  readonly readable: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

interface Seed {
  /** Relative to the user's folder and to the private one. */
  readonly path: string;
  /** Levels of real folders; deeper entries are links. */
  readonly depth: number;
  readonly except?: ReadonlySet<string>;
}

interface Cache {
  readonly variable: string;
  readonly folder: string;
  /** Below the home folder; used unless a variable names another. */
  readonly standard?: string;
  readonly seeds?: readonly Seed[];
}

/** Entries of `~/.cache` that each run writes: as links they would be read-only. */
const WRITABLE_CACHES: ReadonlySet<string> = new Set(
  "go-build pip uv pypoetry yarn pnpm bun ccache sccache node-gyp deno bazel pre-commit".split(" "),
);

const CACHES: readonly Cache[] = [
  {
    variable: "XDG_CACHE_HOME",
    folder: "cache",
    standard: ".cache",
    seeds: [{ path: "", depth: 1, except: WRITABLE_CACHES }],
  },
  { variable: "GOCACHE", folder: "go-build" },
  { variable: "GOMODCACHE", folder: "go-mod" },
  { variable: "npm_config_cache", folder: "npm" },
  { variable: "pnpm_config_store_dir", folder: "pnpm" },
  { variable: "YARN_GLOBAL_FOLDER", folder: "yarn" },
  { variable: "BUN_INSTALL_CACHE_DIR", folder: "bun" },
  { variable: "DENO_DIR", folder: "deno" },
  { variable: "PIP_CACHE_DIR", folder: "pip" },
  { variable: "UV_CACHE_DIR", folder: "uv" },
  {
    variable: "POETRY_CACHE_DIR",
    folder: "poetry",
    standard: ".cache/pypoetry",
    seeds: [{ path: "virtualenvs", depth: 1 }],
  },
  {
    variable: "CARGO_HOME",
    folder: "cargo",
    standard: ".cargo",
    seeds: [
      { path: "config.toml", depth: 0 },
      { path: "registry/index", depth: 5 },
      { path: "registry/cache", depth: 2 },
      { path: "registry/src", depth: 2 },
    ],
  },
  {
    variable: "GRADLE_USER_HOME",
    folder: "gradle",
    standard: ".gradle",
    seeds: [{ path: "wrapper/dists", depth: 3 }],
  },
  { variable: "NUGET_PACKAGES", folder: "nuget" },
  { variable: "COMPOSER_CACHE_DIR", folder: "composer" },
  { variable: "CCACHE_DIR", folder: "ccache" },
  { variable: "SCCACHE_DIR", folder: "sccache" },
];

const UNUSED_MS = 60 * 24 * 60 * 60 * 1_000;

export interface PackageCachesOptions {
  readonly root: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Opens the project's caches and removes those of projects without a command for 60 days. cairn
 * fills them once, before the first command, so that a link that a command made there is never
 * followed. Undefined if the data folder is not writable.
 */
export async function openPackageCaches({
  root,
  dataDir,
  environment,
}: PackageCachesOptions): Promise<PackageCaches | undefined> {
  const all = join(dataDir, "package-caches");
  const folder = join(all, createHash("sha256").update(root).digest("hex").slice(0, 16));
  try {
    await mkdir(all, { recursive: true, mode: 0o700 });
    if (!existsSync(folder)) await fillCache(folder, environment);
    const now = new Date();
    await utimes(folder, now, now);
  } catch (error) {
    if (UNWRITABLE_CODES.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  await removeUnused(all);
  return { folder, ...variablesFor(folder, environment) };
}

const UNWRITABLE_CODES: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR"]);

export function formatExports({ variables }: PackageCaches): string {
  const assigned = Object.entries(variables).map(
    ([name, value]) => `${name}=${quoteForShell(value)}`,
  );
  // npm reads the name in both cases.
  return `unset NPM_CONFIG_CACHE; export ${assigned.join(" ")}; `;
}

function variablesFor(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Pick<PackageCaches, "variables" | "readable"> {
  const private_ = Object.fromEntries(
    CACHES.map(({ variable, folder: name }) => [variable, join(folder, name)]),
  );
  const go = createGoSeed(environment);
  const gradle = join(environment.GRADLE_USER_HOME ?? join(homedir(), ".gradle"), "caches");
  const maven = join(homedir(), ".m2/repository");
  return {
    variables: {
      ...private_,
      ...(go !== undefined && { GOPROXY: go.proxy }),
      ...(existsSync(join(gradle, "modules-2")) && { GRADLE_RO_DEP_CACHE: gradle }),
      ...mavenOptions(join(folder, "maven"), maven, environment.MAVEN_OPTS),
      // The project and the cache are separate mounts, where hard links fail with a warning.
      UV_LINK_MODE: "copy",
    },
    readable: [
      ...CACHES.flatMap((cache) =>
        (cache.seeds ?? []).map(({ path }) => join(ownCacheFolder(cache, environment), path)),
      ),
      ...(go === undefined ? [] : [go.folder]),
      ...[gradle, maven],
    ].filter(existsSync),
  };
}

function ownCacheFolder(
  { variable, standard = "" }: Cache,
  environment: Readonly<Record<string, string>>,
) {
  return environment[variable] ?? join(homedir(), standard);
}

/** The user's downloaded modules, as the first module proxy. */
function createGoSeed(environment: Readonly<Record<string, string>>) {
  const settings = { ...goSettings(environment), ...environment };
  const { GOPATH = join(homedir(), "go"), GOPROXY = "https://proxy.golang.org,direct" } = settings;
  const modules = settings.GOMODCACHE ?? join(GOPATH.split(":")[0] ?? "", "pkg/mod");
  const folder = join(modules, "cache/download");
  if (!existsSync(folder)) return undefined;
  return { folder, proxy: `file://${encodeURI(folder)},${GOPROXY}` };
}

function goSettings({ GOENV, XDG_CONFIG_HOME }: Readonly<Record<string, string>>) {
  const file = GOENV ?? join(XDG_CONFIG_HOME ?? join(homedir(), ".config"), "go/env");
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^(GO[A-Z]+)=(.+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  ) as Partial<Record<"GOPATH" | "GOPROXY" | "GOMODCACHE", string>>;
}

/** Maven 3.9 and later fall back to the user's repository. */
function mavenOptions(folder: string, tail: string, existing = "") {
  // The program splits the variable at spaces.
  if (/\s/.test(folder + tail)) return {};
  const options = [`-Dmaven.repo.local=${folder}`, `-Dmaven.repo.local.tail=${tail}`];
  return { MAVEN_OPTS: [existing, ...options].join(" ").trim() };
}

/** Filled at another path first: a partly filled folder would never be completed. */
async function fillCache(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const draft = join(dirname(folder), `.${randomIds.next("")}`);
  await mkdir(draft, { mode: 0o700 });
  for (const cache of CACHES) {
    const target = join(draft, cache.folder);
    await mkdir(target);
    for (const seed of cache.seeds ?? []) {
      await linkCache(
        join(ownCacheFolder(cache, environment), seed.path),
        join(target, seed.path),
        seed,
      );
    }
  }
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true });
    // Another process was first.
    if (!["ENOTEMPTY", "EEXIST"].includes(error.code ?? "")) throw error;
  });
}

async function linkCache(
  from: string,
  to: string,
  { depth, except }: Omit<Seed, "path">,
): Promise<void> {
  const info = await stat(from).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (info === undefined || except?.has(basename(from)) === true) return;
  if (depth === 0 || !info.isDirectory()) {
    await mkdir(dirname(to), { recursive: true });
    await symlink(from, to);
    return;
  }
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    await linkCache(join(from, name), join(to, name), {
      depth: depth - 1,
      ...(except !== undefined && { except }),
    });
  }
}

async function removeUnused(all: string): Promise<void> {
  const oldest = Date.now() - UNUSED_MS;
  for (const name of await readdir(all)) {
    const folder = join(all, name);
    const info = await stat(folder).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (info !== undefined && info.mtimeMs < oldest) await removeTree(folder);
  }
}

/** Go makes the folders of modules read-only. */
async function removeTree(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  }
  await rm(folder, { recursive: true, force: true });
}
