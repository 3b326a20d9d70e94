// Part of the client: nothing but parts of Node.js is imported here.
import { readFileSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Variables } from "./daemon-place.ts";

/** This process is being debugged or measured, which would include everything that it starts. */
const WATCHED = ["NODE_V8_COVERAGE", "VSCODE_INSPECTOR_OPTIONS"];
const WATCHING_OPTION = /--(inspect|cpu-prof|heap-prof|prof\b)/;
/** A sandbox ends with its command, and so does an agent's command with everything it started. */
const CONFINED = ["SANDBOX_RUNTIME", "CAIRN_PROCESS_TREE"];
const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * True if this process may start one that stays. Where somebody asked for it, it may: by the
 * variable,
 * or with a word in the user's config, which the daemon itself reads as it is meant. Else where
 * what
 * it is started in lasts: an integration run, a test with a data folder of its own or a container
 * of one
 * command would only be left with a process that nobody asks.
 */
export function isDaemonEnabled(env: Variables, dataDir: string): boolean {
  const { CAIRN_DAEMON: said } = env;
  if (said) return said === "auto";
  return isInConfig(env) || (lasts(env) && !isTemporary(dataDir, env));
}

function isInConfig(env: Variables): boolean {
  try {
    return readFileSync(join(configHome(env), "cairn", "config.json"), "utf8").includes("daemon");
  } catch {
    return false;
  }
}

function lasts(env: Variables): boolean {
  const { CI: ci, NODE_OPTIONS: options } = env;
  if (ci && !/^(false|0|no)$/i.test(ci)) return false;
  if (process.pid === 1) return false;
  if ([...WATCHED, ...CONFINED].some((name) => env[name])) return false;
  return ![...process.execArgv, options ?? ""].some((option) => WATCHING_OPTION.test(option));
}

function isTemporary(folder: string, env: Variables): boolean {
  const own = [env.TMPDIR, env.TEMP, env.TMP, tmpdir()].filter((path) => path !== undefined);
  const path = real(folder);
  return [...own, ...TEMPORARY].some(
    (temporary) => isAbsolute(temporary) && isBelow(path, real(temporary)),
  );
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), relative(parent, path));
  }
}

/** As `configPaths` has it. */
function configHome(env: Variables): string {
  if (process.platform === "win32") {
    return env.APPDATA || join(env.USERPROFILE || homedir(), "AppData", "Roaming");
  }
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".config");
}
