import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import { type NightEntry, type NightFact, nightEntry } from "./night-entry.ts";

/** Given back when the disk is full, so that the end can still be taken down. */
const RESERVE = "reserve";
const RESERVE_BYTES = 512 * 1024;

/**
 * What happened in an unattended run: lines that are added, each on the disk before anything follows
 * from it. Whoever opens it again goes on where it was; half a line of a machine that went down is cut
 * off, since nothing was done upon it.
 */
export class Journal {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #handle: number;
  readonly #onEntry: (entry: NightEntry) => void;

  /** Reads what is there into `onEntry` first. Throws where a whole line cannot be read. */
  constructor(file: string, clock: Clock, onEntry: (entry: NightEntry) => void) {
    this.#file = file;
    this.#clock = clock;
    this.#onEntry = onEntry;
    makeFolder(dirname(file));
    const isNew = !existsSync(file);
    const { entries, wholeBytes } = readJournal(file);
    this.#handle = openSync(file, isNew ? "ax" : "r+", 0o600);
    ftruncateSync(this.#handle, wholeBytes);
    this.#end = wholeBytes;
    if (isNew) syncFolder(dirname(file));
    for (const entry of entries) onEntry(entry);
    this.#keepReserve();
  }

  #end = 0;

  /** Returns once it is on the disk. Throws unavailable where there is no room for it. */
  add(fact: NightFact): void {
    const entry: NightEntry = { at: toTimestamp(this.#clock.now()), ...fact };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    try {
      this.#write(line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      rmSync(this.#reserve, { force: true });
      this.#write(line);
    }
    this.#onEntry(entry);
  }

  close(): void {
    closeSync(this.#handle);
    rmSync(this.#reserve, { force: true });
  }

  /** A line of which a part fails is taken back: the next one begins where it began. */
  #write(line: Buffer): void {
    let at = 0;
    try {
      while (at < line.length) {
        at += writeSync(this.#handle, line, at, line.length - at, this.#end + at);
      }
      fsyncSync(this.#handle);
    } catch (error) {
      ftruncateSync(this.#handle, this.#end);
      throw error;
    }
    this.#end += line.length;
  }

  get #reserve(): string {
    return join(dirname(this.#file), RESERVE);
  }

  #keepReserve(): void {
    try {
      writeFileSync(this.#reserve, Buffer.alloc(RESERVE_BYTES, 1), { mode: 0o600 });
    } catch (error) {
      rmSync(this.#reserve, { force: true });
      throw new CairnError(
        "unavailable",
        `There is no room to take down what happens: ${messageOf(error)}. Make some, then \`cairn run --resume\`.`,
      );
    }
  }
}

export interface ReadJournal {
  readonly entries: readonly NightEntry[];
  /** Up to the end of the last whole line. */
  readonly wholeBytes: number;
}

export function readJournal(file: string): ReadJournal {
  if (!existsSync(file)) return { entries: [], wholeBytes: 0 };
  const bytes = readFileSync(file);
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, wholeBytes).toString("utf8").split("\n").slice(0, -1);
  const entries = lines.map((line, index) => {
    const entry = nightEntry.safeParse(parsed(line));
    if (entry.success) return entry.data;
    throw new CairnError("conflict", `${file}: line ${index + 1} cannot be read.`);
  });
  return { entries, wholeBytes };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What is no JSON is no entry either.
    return undefined;
  }
}

/** The name of a new file is in its folder, which is written by itself. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
