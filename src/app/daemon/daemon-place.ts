// Part of the client: nothing but parts of Node.js is imported here.
import { lstatSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

const SOCKET = "socket";

/** In the data folder, where no command in the sandbox reads. Undefined where that is not known without the config. */
export function daemonFolder(
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { CAIRN_DATA_DIR: given } = env;
  if (given) return isAbsolute(given) ? join(given, "daemon") : undefined;
  return join(dataHome(env, platform), "daemon");
}

/** As `configPaths` has it; a test holds the two together. */
function dataHome(env: Variables, platform: NodeJS.Platform): string {
  if (platform === "win32") {
    const home = env.USERPROFILE || homedir();
    return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "cairn", "Data");
  }
  const xdg = env.XDG_DATA_HOME;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "cairn");
  const home = env.HOME || homedir();
  return platform === "darwin"
    ? join(home, "Library", "Application Support", "cairn")
    : join(home, ".local", "share", "cairn");
}

export function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  if (process.getuid === undefined) return isInProfile(folder);
  return stats.uid === process.getuid() && (stats.mode & 0o077) === 0;
}

function isInProfile(folder: string): boolean {
  const way = relative(homedir(), folder);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

/**
 * Where the daemon of this folder listens, seen from within the folder: the system takes no address
 * of more than about a hundred bytes. On Windows the pipe has a name of its own, which only who may
 * read the folder can know.
 */
export function socketIn(folder: string): string {
  if (process.platform !== "win32") return SOCKET;
  const { birthtimeMs, ino } = statSync(folder);
  return `\\\\.\\pipe\\cairn-${ino.toString(36)}-${Math.floor(birthtimeMs).toString(36)}`;
}

/** Tells a program from what an update puts in its place. */
export function programStamp(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

/** Variables that a process reads once at its start: a daemon started with other values cannot help. */
const BORN_WITH =
  /^(TZ|LANG|LANGUAGE|LC_.*|HOME|USERPROFILE|TMPDIR|TEMP|TMP|NODE_(?!ENV$|CHANNEL).*|PG.*|SSL_.*|(HTTPS?|ALL|NO)_PROXY|CAIRN_DEBUG)$/i;

export function bornOtherwise(one: Variables, other: Variables): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => BORN_WITH.test(name) && one[name] !== other[name]);
}

/** Takes the address from a daemon that does not respond; it ends once it notices. */
export function removeSocket(folder: string): void {
  if (process.platform !== "win32") rmSync(join(folder, SOCKET), { force: true });
}
