import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../shared/environment.ts";

const PROJECT_MARKERS = [join(".cairn", "config.json"), join(".cairn", "commands")];

/** Returns the nearest ancestor with a config, at most the home folder; else `cwd`. */
function configRoot(cwd: string, home: string): string {
  const found = listParentFolders(cwd, home).find((folder) =>
    PROJECT_MARKERS.some((marker) => existsSync(join(folder, marker))),
  );
  return found ?? cwd;
}

/**
 * Returns `cwd` and its ancestors up to home or root. Skips world-writable ancestors such as
 * `/tmp`, where anyone may have put files.
 */
export function listParentFolders(cwd: string, home: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== home && folder !== dirname(folder); ) {
    folder = dirname(folder);
    if (!isWritableByOthers(folder)) folders.push(folder);
  }
  return folders;
}

const OTHERS_WRITE_BIT = 0o002;

function isWritableByOthers(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== "win32" && (mode & OTHERS_WRITE_BIT) !== 0;
}

/** Absolute paths of one user's folders and files for one project. */
export interface ConfigPaths {
  readonly home: string;
  /** Contains the user's config, skills, commands and instruction file. */
  readonly userConfigDir: string;
  readonly userConfigFile: string;
  readonly projectRoot: string;
  readonly configRoot: string;
  readonly projectConfigFile: string;
  readonly trustFile: string;
  readonly defaultDataDir: string;
}

export interface PathContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

export function configPaths({ env, cwd, platform = process.platform }: PathContext): ConfigPaths {
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  const userConfigDir = join(configHome(env, home, platform), "cairn");
  const root = configRoot(cwd, home);
  return {
    home,
    userConfigDir,
    userConfigFile: join(userConfigDir, "config.json"),
    projectRoot: cwd,
    configRoot: root,
    projectConfigFile: join(root, ".cairn", "config.json"),
    trustFile: join(userConfigDir, "trusted-projects.json"),
    defaultDataDir: dataHome(env, home, platform),
  };
}

function configHome(env: Environment, home: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return toAbsolute(env.XDG_CONFIG_HOME) ?? join(home, ".config");
}

function dataHome(env: Environment, home: string, platform: NodeJS.Platform): string {
  if (platform === "win32") {
    return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "cairn", "Data");
  }
  const xdg = toAbsolute(env.XDG_DATA_HOME);
  if (xdg !== undefined) return join(xdg, "cairn");
  return platform === "darwin"
    ? join(home, "Library", "Application Support", "cairn")
    : join(home, ".local", "share", "cairn");
}

/** Relative paths are ignored according to the XDG specification. */
function toAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
