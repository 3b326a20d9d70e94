// Part of the client: nothing but parts of Node.js is imported here.
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isOwnFolder } from "./daemon-place.ts";

/** When one was started last, and what was found out then. */
const NOTE = "started";
const LOG = "log";
const MAX_LOG = 256 * 1024;
/** A daemon that could not stay is not started again at every command; milliseconds. */
const AGAIN_AFTER_MS = 60_000;
/** What kept one from staying may have been mended without a trace in these files; milliseconds. */
const OFF_FOR_MS = 24 * 3_600_000;
/** A long-lived process: little memory matters more than the last tenth of its speed. */
const LEAN = ["--max-semi-space-size=2", "--optimize-for-size", "--expose-gc"];

/**
 * Of glibc: threads share what they take from the system, so that one can use what another one has freed, and
 * large blocks and what is free at the end go back to the system, however large the blocks before were.
 */
const LEAN_MALLOC = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "1048576",
};

interface StartNote {
  /** The last daemon ended normally, so the next may start at once. */
  readonly again?: boolean;
  readonly off?: readonly string[];
  readonly as?: readonly string[];
}

export interface DaemonProgram {
  readonly file: string;
}

/**
 * Starts the process that stays, for the next who asks; nobody waits for it. Nothing happens where
 * there is no data folder yet or it is another user's, where nothing can be written, or one was started
 * a moment ago.
 */
export async function startDaemon(folder: string, { file }: DaemonProgram): Promise<void> {
  try {
    if (!isOwn(dirname(folder))) return;
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return;
  }
  try {
    if (!isOwnFolder(folder) || !isTurn(folder)) return;
    writeFileSync(join(folder, NOTE), "", { mode: 0o600 });
    const { spawn } = await import("node:child_process");
    const log = openSync(join(folder, LOG), isLong(join(folder, LOG)) ? "w" : "a", 0o600);
    const child = spawn(process.execPath, [...LEAN, file, folder], {
      cwd: folder,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log, log],
      env: { ...process.env, ...LEAN_MALLOC },
    });
    child.once("error", () => undefined);
    child.unref();
    closeSync(log);
  } catch {
    // Expected: a full or read-only disk. Every command then does its own work.
  }
}

export function noteOff(folder: string, because: readonly string[]): void {
  const note: StartNote = { off: because, as: because.map(stateOf) };
  writeFileSync(join(folder, NOTE), JSON.stringify(note), { mode: 0o600 });
}

/** Called when a daemon ended normally: the next may start at once. */
export function forgetStart(folder: string): void {
  writeFileSync(join(folder, NOTE), JSON.stringify({ again: true }), { mode: 0o600 });
}

function isTurn(folder: string): boolean {
  const file = join(folder, NOTE);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  const text = readFileSync(file, "utf8");
  const note: StartNote = text === "" ? {} : JSON.parse(text);
  if (note.again === true) return true;
  const age = Math.abs(Date.now() - stats.mtimeMs);
  if (note.off === undefined) return age > AGAIN_AFTER_MS;
  return age > OFF_FOR_MS || note.off.some((path, at) => stateOf(path) !== note.as?.[at]);
}

/** A folder of this user: what root makes in another one's would be in the way there. */
function isOwn(folder: string): boolean {
  const stats = statSync(folder);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.size} ${stats.mtimeMs}`;
}

function isLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG;
}
