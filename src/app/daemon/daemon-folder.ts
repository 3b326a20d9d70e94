import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect as connectTo, type Socket } from "node:net";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

const SOCKET_FILE = "socket";

/**
 * Returns the data folder, which sandboxed commands cannot read; undefined if finding it requires
 * the config.
 */
export function daemonFolder(
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { CAIRN_DATA_DIR: value } = env;
  if (value) return isAbsolute(value) ? join(value, "daemon") : undefined;
  return join(dataHome(env, platform), "daemon");
}

/** Same as `configPaths`; a test compares them. */
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
  const path = relative(homedir(), folder);
  return path !== "" && !path.startsWith("..") && !isAbsolute(path);
}

/**
 * Socket address relative to the folder, because Unix limits addresses to about 100 bytes. On
 * Windows, a pipe name that only readers of the folder know.
 */
export function socketPath(folder: string): string {
  if (process.platform !== "win32") return SOCKET_FILE;
  const { birthtimeMs, ino } = statSync(folder);
  return `\\\\.\\pipe\\cairn-${ino.toString(36)}-${Math.floor(birthtimeMs).toString(36)}`;
}

/** Identifies a program file, so that updates are detected. */
export function programStamp(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

/** Variables read once at process start; a daemon with other values cannot serve the request. */
const STARTUP_VARIABLES =
  /^(TZ|LANG|LANGUAGE|LC_.*|HOME|USERPROFILE|TMPDIR|TEMP|TMP|NODE_(?!ENV$|CHANNEL).*|PG.*|SSL_.*|(HTTPS?|ALL|NO)_PROXY|CAIRN_DEBUG)$/i;

export function hasOtherStartup(one: Variables, other: Variables): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => STARTUP_VARIABLES.test(name) && one[name] !== other[name]);
}

/** Unlinks the socket of an unresponsive daemon, which ends once it notices. */
export function removeSocket(folder: string): void {
  if (process.platform !== "win32") rmSync(join(folder, SOCKET_FILE), { force: true });
}

/**
 * Connects to the daemon of this folder; undefined if none listens or the folder is not private to
 * the user. Changes the working directory during the call.
 */
export async function connectToDaemon(folder: string): Promise<Socket | undefined> {
  const socket = connectFrom(folder);
  if (socket === undefined) return undefined;
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(socket));
    // Later errors close the connection, which its users detect.
    socket.on("error", () => resolve(undefined));
  });
}

function connectFrom(folder: string): Socket | undefined {
  try {
    if (!isOwnFolder(folder)) return undefined;
    const back = process.cwd();
    process.chdir(folder);
    try {
      return connectTo(socketPath(folder));
    } finally {
      process.chdir(back);
    }
  } catch {
    // No such folder, or one that this process may not enter.
    return undefined;
  }
}

const START_NOTE_FILE = "started";
const LOG_FILE = "log";
const MAX_LOG = 256 * 1024;
/** Minimum interval between starts of a daemon that failed. */
const RESTART_INTERVAL_MS = 60_000;
/** Retry interval if the cause may have been fixed elsewhere. */
const OFF_DURATION_MS = 24 * 3_600_000;
/** Flags that prefer low memory over peak speed. */
const LOW_MEMORY_FLAGS = ["--max-semi-space-size=2", "--optimize-for-size", "--expose-gc"];

/** glibc settings that return freed memory to the system. */
const LOW_MEMORY_MALLOC = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "1048576",
};

interface StartNote {
  readonly again?: boolean;
  readonly off?: readonly string[];
  readonly as?: readonly string[];
}

interface DaemonProgram {
  readonly file: string;
}

/**
 * Starts a daemon for later commands without waiting. Does nothing if the data folder is missing,
 * foreign or read-only, or one was started recently.
 */
export async function startDaemon(folder: string, { file }: DaemonProgram): Promise<void> {
  try {
    if (!isOwnedByUser(dirname(folder))) return;
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return;
  }
  try {
    if (!isOwnFolder(folder) || !mayStartNow(folder)) return;
    writeFileSync(join(folder, START_NOTE_FILE), "", { mode: 0o600 });
    const { startProgram } = await import("../../shared/programs.ts");
    const log = openSync(
      join(folder, LOG_FILE),
      isLogTooLong(join(folder, LOG_FILE)) ? "w" : "a",
      0o600,
    );
    const child = startProgram(process.execPath, [...LOW_MEMORY_FLAGS, file, folder], {
      cwd: folder,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log, log],
      env: { ...process.env, ...LOW_MEMORY_MALLOC },
    });
    child.once("error", () => undefined);
    child.unref();
    closeSync(log);
  } catch {
    // Expected: a full or read-only disk. Every command then does its own work.
  }
}

export function recordOff(folder: string, because: readonly string[]): void {
  const note: StartNote = { off: because, as: because.map(formatFileState) };
  writeFileSync(join(folder, START_NOTE_FILE), JSON.stringify(note), { mode: 0o600 });
}

export function forgetStart(folder: string): void {
  writeFileSync(join(folder, START_NOTE_FILE), JSON.stringify({ again: true }), { mode: 0o600 });
}

function mayStartNow(folder: string): boolean {
  const file = join(folder, START_NOTE_FILE);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  const text = readFileSync(file, "utf8");
  const note: StartNote = text === "" ? {} : JSON.parse(text);
  if (note.again === true) return true;
  const age = Math.abs(Date.now() - stats.mtimeMs);
  if (note.off === undefined) return age > RESTART_INTERVAL_MS;
  return (
    age > OFF_DURATION_MS || note.off.some((path, at) => formatFileState(path) !== note.as?.[at])
  );
}

/** Files made by root in another user's folder would block its owner. */
function isOwnedByUser(folder: string): boolean {
  const stats = statSync(folder);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}

function formatFileState(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.size} ${stats.mtimeMs}`;
}

function isLogTooLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG;
}
