import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, toTimestamp } from "../clock.ts";
import { waitForProcessLock } from "../process-lock.ts";
import { type ChainHead, readHeads, writeHeads } from "./chain-heads.ts";
import { BEGINNING, type ChainKind, type ChainLink, hashOf } from "./chain-link.ts";
import { type ChainPlace, earlierParts, lastEntryOf, partName } from "./chain-place.ts";
import { readLastEntry } from "./last-entry.ts";

/** Then another part begins, whose first entry follows the last of this one. */
const PART_BYTES = 8 * 1024 * 1024;
/** With what is to be told, one write may add so many entries about the log itself. */
const OF_LOG = 2;

export interface ChainedLogOptions {
  readonly partBytes?: number;
  /** How many earlier parts are kept; default: all. */
  readonly parts?: number | undefined;
  /** How many entries are added at once at most; default: 1. */
  readonly atOnce?: number;
}

interface Added {
  readonly lines: string;
  readonly last: ChainHead;
}

/**
 * Lines that are added and never changed, each with the hash of the one before. Several programs
 * may write to one log.
 */
export class ChainedLog<Said extends object> {
  readonly #place: ChainPlace;
  readonly #kind: ChainKind<Said>;
  readonly #clock: Clock;
  readonly #options: ChainedLogOptions;
  /** One after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    place: ChainPlace,
    kind: ChainKind<Said>,
    clock: Clock,
    options: ChainedLogOptions = {},
  ) {
    this.#place = place;
    this.#kind = kind;
    this.#clock = clock;
    this.#options = options;
  }

  /** Adds all of them or none, in this order. Rejects where they cannot be noted. */
  note(said: readonly Said[]): Promise<void> {
    const noted = this.#last.then(() => this.#add(said));
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  async #add(said: readonly Said[]): Promise<void> {
    const { file } = this.#place;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const release = await waitForProcessLock(`${file}.lock`);
    try {
      const [found, heads] = await Promise.all([
        readLastEntry(this.#place, this.#kind),
        readHeads(this.#place),
      ]);
      const before = this.#ofLog(found.entry, found.cutOff, heads.last);
      const { lines, last } = this.#chain(before.follows, [...before.said, ...said]);
      const { partBytes = PART_BYTES } = this.#options;
      const isFull = found.size >= partBytes && found.entry !== undefined;
      if (isFull) await rename(file, partName(this.#place, found.entry.n));
      await appendDurably(file, lines);
      const old = isFull ? await this.#partsToDrop() : [];
      const first = old.length === 0 ? heads.last?.first : lastEntryOf(old.at(-1) ?? "") + 1;
      await writeHeads(this.#place, { ...last, ...(first !== undefined && { first }) });
      // The heads know first: what is left of a killed removal counts for nothing.
      for (const part of old) await rm(part, { force: true });
    } finally {
      release();
    }
  }

  /** What is to be said of the log itself before anything is added, and behind which entry. */
  #ofLog(entry: ChainLink | undefined, cutOff: number, head: ChainHead | undefined) {
    const mostAhead = (this.#options.atOnce ?? 1) + OF_LOG;
    const gap = entry === undefined ? gapBefore(head) : brokenAt(entry, head, mostAhead);
    const said: Said[] = [];
    if (gap !== undefined) said.push(this.#kind.ofLog("broken", gap));
    if (cutOff > 0) {
      const text = `A line that was left half (${cutOff} bytes) was cut off.`;
      said.push(this.#kind.ofLog("healed", text));
    }
    // It goes on behind the number that is known, so that what is missing stays missing.
    const isKnown = gap !== undefined && head !== undefined && head.n > (entry?.n ?? 0);
    return { said, follows: isKnown ? head : entry };
  }

  #chain(follows: ChainHead | undefined, said: readonly Said[]): Added {
    let last: ChainHead = { n: follows?.n ?? 0, hash: follows?.hash ?? BEGINNING };
    const at = toTimestamp(this.#clock.now());
    const lines = said.map((one) => {
      const entry = { n: last.n + 1, at, before: last.hash, hash: "", ...one };
      entry.hash = hashOf(entry);
      last = { n: entry.n, hash: entry.hash };
      return `${JSON.stringify(entry)}\n`;
    });
    return { lines: lines.join(""), last };
  }

  async #partsToDrop(): Promise<readonly string[]> {
    const { parts } = this.#options;
    if (parts === undefined) return [];
    const earlier = await earlierParts(this.#place);
    return earlier.slice(0, Math.max(0, earlier.length - parts));
  }
}

/** What shows, before anything is added, that the log is not the one that was written. */
function brokenAt(
  { n, hash, before }: ChainLink,
  head: ChainHead | undefined,
  /** More entries than a write adds at most, which may have been killed before it noted its head. */
  mostAhead: number,
): string | undefined {
  if (head === undefined) return n > mostAhead ? "The heads of the log are missing." : undefined;
  if (head.n > n) return `Entries ${n + 1} to ${head.n} were cut off before this one.`;
  const isKnown = head.n === n ? head.hash === hash : head.n + 1 !== n || head.hash === before;
  if (isKnown && n - head.n <= mostAhead) return undefined;
  return `Entry ${n}, or one before it, is not the one that was written.`;
}

function gapBefore(head: ChainHead | undefined): string | undefined {
  return head === undefined || head.n === 0
    ? undefined
    : `Entries up to ${head.n} were removed before this one.`;
}

/** On the disk before anything acts upon it: a machine that goes down loses no head's entry. */
async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    const { size } = await file.stat();
    try {
      await file.writeFile(text);
      await file.datasync();
    } catch (error) {
      // A disk that is full took a part of it. What cannot be taken back now is cut off by the next write, which
      // says so.
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}
