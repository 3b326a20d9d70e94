/**
 * Packs cairn with all dependencies into one file for this platform, which npm installs without a
 * network: `npm install ./FILE`. It runs on the version of Node.js that packs it, and on 22 and
 * newer.
 *
 *   npm run packages:offline [-- FILE]     # packs and installs first, which needs the registry
 */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
  readonly bundleDependencies?: readonly string[];
}

const run = promisify(execFile);
const PLATFORM = `${process.platform}-${process.arch}`;
const NAME = "cairn-memory";
/** Needed to fetch or compile the SQLite driver, not to load it. */
const ONLY_TO_INSTALL = ["prebuild-install"];
const ONLY_TO_COMPILE = ["deps", "src", "binding.gyp"];

/** Packs the installed packages of a folder's `node_modules` into a file. */
export async function packOffline(installed: string, file: string): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "cairn-offline-"));
  try {
    const into = join(root, "package");
    const modules = join(installed, "node_modules");
    cpSync(join(modules, NAME), into, { recursive: true, filter: isOfThisPlatform });
    for (const [name, from] of listDependencies(join(modules, NAME), modules)) {
      const to = join(into, "node_modules", name);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to, { recursive: true });
    }
    removeBuildFiles(join(into, "node_modules/better-sqlite3"));
    for (const folder of listPackages(join(into, "node_modules"))) rewriteManifest(folder);
    rewriteManifest(into, listPackages(join(into, "node_modules")).map(getName));
    mkdirSync(dirname(file), { recursive: true });
    await run("tar", ["-czf", resolve(file), "-C", root, "package"]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Excludes runtimes and drivers of other platforms. */
function isOfThisPlatform(path: string): boolean {
  const isNative = /[\\/](runtime|prebuilds)$/.test(dirname(path)) && /\.(br|node)$/.test(path);
  return !isNative || basename(path).startsWith(`${PLATFORM}.`);
}

/**
 * Returns the installed transitive dependencies by name, without those that only installation
 * needs.
 */
function listDependencies(
  folder: string,
  modules: string,
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const { dependencies, optionalDependencies } = readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const own = existsSync(join(folder, "node_modules", name));
    const beside = join(modules, name);
    if (own || found.has(name) || ONLY_TO_INSTALL.includes(name) || !existsSync(beside)) continue;
    found.set(name, beside);
    listDependencies(beside, modules, found);
  }
  return found;
}

function removeBuildFiles(driver: string): void {
  const module = join("build", "Release", "better_sqlite3.node");
  const native = readFileSync(join(driver, module));
  for (const name of [...ONLY_TO_COMPILE, "build"])
    rmSync(join(driver, name), { recursive: true, force: true });
  mkdirSync(dirname(join(driver, module)), { recursive: true });
  writeFileSync(join(driver, module), native);
}

/**
 * Removes install scripts and optional dependencies from a package.json, so that npm runs and
 * fetches nothing.
 */
function rewriteManifest(folder: string, bundled?: readonly string[]): void {
  const { scripts, dependencies = {}, optionalDependencies: _, ...rest } = readManifest(folder);
  const kept = Object.entries(dependencies).filter(([name]) => !ONLY_TO_INSTALL.includes(name));
  const all = bundled?.map((name) => [name, "*"]);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({
      ...rest,
      dependencies: Object.fromEntries(all ?? kept),
      ...(bundled && { bundleDependencies: bundled }),
    }),
  );
}

function listPackages(modules: string): string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith("."));
  return names.flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
      : [join(modules, name)],
  );
}

const getName = (folder: string): string => readManifest(folder).name;

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function packAndInstall(root: string): string {
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  npm(process.cwd(), "pack", "--silent", "--pack-destination", root);
  const [tarball = ""] = readdirSync(root).filter((name) => name.endsWith(".tgz"));
  const folder = join(root, "installed");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  npm(folder, "install", "--no-audit", "--no-fund", join(root, tarball));
  return folder;
}

if (process.argv[1]?.endsWith("pack-offline.ts")) {
  const root = mkdtempSync(join(tmpdir(), "cairn-offline-"));
  try {
    const folder = packAndInstall(root);
    const { version } = readManifest(join(folder, "node_modules", NAME));
    const file = process.argv[2] ?? join("dist", "bundle", `${NAME}-${version}-${PLATFORM}.tgz`);
    await packOffline(folder, file);
    process.stdout.write(`${file}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
