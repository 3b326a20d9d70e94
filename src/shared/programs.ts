import { type ChildProcessByStdio, execFile, spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { isInside } from "./is-inside.ts";

/**
 * The only module that starts processes. Programs run by absolute path, resolved once per process
 * from the PATH folders outside every project, so that cairn never runs a program that an agent
 * wrote into a project, such as `node_modules/.bin/git`.
 */

const MAX_LINKS = 40;
/** Starting it fails with ENOENT, like any missing program. */
const MISSING_PROGRAM_PATH = resolve("/nonexistent");
const WINDOWS_EXTENSIONS = [".exe", ".cmd", ".bat", ""];

const distrusted = new Set<string>();
const projectRoots = new Set<string>();
const found = new Map<string, string>();
const foldersOfPath = new Map<string, readonly string[]>();

export function distrustProgramsIn(folder: string): void {
  if (distrusted.has(folder)) return;
  distrusted.add(folder);
  const root = findProject(folder);
  if (root === undefined || projectRoots.has(root)) return;
  projectRoots.add(root);
  found.clear();
  foldersOfPath.clear();
}

try {
  distrustProgramsIn(process.cwd());
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

export function findProgram(name: string, path = process.env.PATH): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  if (name === "" || name.includes("/") || name.includes(sep)) return undefined;
  const key = `${name}\0${path}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const endings = process.platform === "win32" ? WINDOWS_EXTENSIONS : [""];
  for (const folder of trustedFolders(path)) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (!isProgram(file) || leadsIntoProject(file)) continue;
      found.set(key, file);
      return file;
    }
  }
  return undefined;
}

export function commandOutsideProjects(name: string, path = ""): string | undefined {
  if (name === "" || name.includes("/")) return undefined;
  const folders = path.split(delimiter);
  // Empty and relative PATH entries refer to the project.
  if (folders.some((folder) => !isAbsolute(folder))) return undefined;
  const file = folders.map((folder) => join(folder, name)).find(isProgram);
  if (file === undefined) return undefined;
  return isProjectPath(realpathSync(dirname(file))) || leadsIntoProject(file) ? undefined : file;
}

/** Like `findProgram`, but returns a nonexistent path if the program is not installed. */
export function programPath(name: string, path?: string): string {
  return findProgram(name, path) ?? join(MISSING_PROGRAM_PATH, basename(name));
}

/** PATH without entries that are relative, empty, missing or inside a project. */
export function trustedPath(path = process.env.PATH): string {
  return trustedFolders(path).join(delimiter);
}

/** `spawn` with program and PATH outside projects. */
export const startProgram = ((name: string, args: readonly string[], options: Started = {}) => {
  const env = trustedEnvironment(options.env);
  return spawn(programPath(name, env.PATH), args, { ...options, env });
}) as unknown as typeof spawn;

/** `spawnSync` with program and PATH outside projects. */
export const runProgramSync = ((name: string, args: readonly string[], options: Started = {}) => {
  const env = trustedEnvironment(options.env);
  return spawnSync(programPath(name, env.PATH), args, { ...options, env });
}) as unknown as typeof spawnSync;

/** Promisified `execFile` with program and PATH outside projects. */
export const runProgram = ((name: string, args: readonly string[], options: Started = {}) => {
  const env = trustedEnvironment(options.env);
  return promisify(execFile)(programPath(name, env.PATH), args, { ...options, env });
}) as unknown as typeof execFile.__promisify__;

/**
 * Runs a shell command from the user or sandbox, without stdin. The shell is outside projects; the
 * command uses the given PATH.
 */
export const startShell = ((text: string, options: Started = {}) => {
  return spawn(programPath("sh"), ["-c", text], options);
}) as unknown as (text: string, options: object) => ChildProcessByStdio<null, Readable, Readable>;

interface Started {
  readonly env?: NodeJS.ProcessEnv;
}

function trustedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, PATH: trustedPath(env.PATH ?? process.env.PATH) };
}

function trustedFolders(path = ""): readonly string[] {
  const known = foldersOfPath.get(path);
  if (known !== undefined) return known;
  const folders = path.split(delimiter).flatMap((folder) => {
    if (!isAbsolute(folder) || !existsSync(folder)) return [];
    const real = realpathSync(folder);
    return isProjectPath(real) || leadsIntoProject(folder) ? [] : [real];
  });
  foldersOfPath.set(path, folders);
  return folders;
}

/** Includes package and virtual-environment folders of other projects. */
function isProjectPath(real: string): boolean {
  if (real.split(sep).includes("node_modules")) return true;
  if (existsSync(join(dirname(real), "pyvenv.cfg"))) return true;
  return [...projectRoots].some((root) => isInside(root, real));
}

/** True if the path or any link along it is inside a project. */
function leadsIntoProject(path: string): boolean {
  let at = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    at = join(realpathSync(dirname(at)), basename(at));
    if ([...projectRoots].some((root) => isInside(root, at))) return true;
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
    at = resolve(dirname(at), readlinkSync(at));
  }
  return true;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the nearest work tree, or the folder itself; undefined for the root directory. */
function findProject(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const real = realpathSync(folder);
  for (let at = real; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
  }
  return real === dirname(real) ? undefined : real;
}
