import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, toTimestamp } from "../../kernel/clock.ts";
import { maskSecrets } from "../../memory/index.ts";
import { waitForProcessLock } from "../processes/wait-for-process-lock.ts";
import { type AuditEntry, type AuditedCall, BEGINNING, hashOf } from "./audit-entry.ts";
import { type AuditHead, type AuditPlace, partName } from "./audit-files.ts";
import { readHeads, writeHeads } from "./audit-heads.ts";
import { readLastEntry } from "./last-entry.ts";

/** Of a subject; a whole file that a command writes is no part of the log. */
const MAX_SUBJECT = 10_000;
/** Then another part begins, whose first entry follows the last of this one. */
const PART_BYTES = 8 * 1024 * 1024;

export interface AuditLogOptions {
  readonly partBytes?: number;
}

/**
 * What the agent did and was kept from in one project: lines that are added and never changed, each
 * with the hash of the one before. Several cairns write to one log.
 */
export class AuditLog {
  readonly #place: AuditPlace;
  readonly #clock: Clock;
  readonly #partBytes: number;
  /** One after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: AuditPlace, clock: Clock, { partBytes = PART_BYTES }: AuditLogOptions = {}) {
    this.#place = place;
    this.#clock = clock;
    this.#partBytes = partBytes;
  }

  /** Rejects where it cannot be noted: then the call is not to run. */
  note(call: AuditedCall): Promise<void> {
    const noted = this.#last.then(() => this.#add(call));
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  async #add(call: AuditedCall): Promise<void> {
    const { file } = this.#place;
    const [subject, reason] = await Promise.all([
      maskSecrets(call.subject.slice(0, MAX_SUBJECT)),
      maskSecrets(call.reason),
    ]);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const release = await waitForProcessLock(`${file}.lock`);
    try {
      const [found, heads] = await Promise.all([
        readLastEntry(this.#place),
        readHeads(this.#place),
      ]);
      const written: AuditEntry[] = [];
      let last: AuditHead | undefined = found.entry;
      const add = (said: AuditedCall) => {
        const entry = this.#entryAfter(last, said);
        written.push(entry);
        last = entry;
      };
      const gap =
        found.entry === undefined ? gapBefore(heads.last) : brokenAt(found.entry, heads.last);
      if (gap !== undefined) {
        // It goes on behind the number that is known, so that what is missing stays missing.
        if (heads.last !== undefined && heads.last.n > (found.entry?.n ?? 0)) last = heads.last;
        add(ofLog("broken", gap));
      }
      if (found.cutOff > 0) {
        add(ofLog("healed", `A line that was left half (${found.cutOff} bytes) was cut off.`));
      }
      add({ ...call, subject, reason });
      if (found.size >= this.#partBytes && found.entry !== undefined) {
        await rename(file, partName(this.#place, found.entry.n));
      }
      await appendDurably(file, written.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      await writeHeads(this.#place, written.at(-1) as AuditEntry);
    } finally {
      release();
    }
  }

  #entryAfter(last: AuditHead | undefined, call: AuditedCall): AuditEntry {
    const said = {
      ...call,
      n: (last?.n ?? 0) + 1,
      at: toTimestamp(this.#clock.now()),
      before: last?.hash ?? BEGINNING,
      hash: "",
    };
    return { ...said, hash: hashOf(said) };
  }
}

function ofLog(outcome: "broken" | "healed", subject: string): AuditedCall {
  return { threadId: "", tool: "log", subject, reason: "", outcome, network: false, keys: false };
}

/** More entries than a write adds at most, which may have been killed before it noted its head. */
const MOST_AHEAD = 3;

/** What shows, before anything is added, that the log is not the one that was written. */
function brokenAt(
  { n, hash, before }: AuditEntry,
  head: AuditHead | undefined,
): string | undefined {
  if (head === undefined) return n > MOST_AHEAD ? "The heads of the log are missing." : undefined;
  if (head.n > n) return `Entries ${n + 1} to ${head.n} were cut off before this one.`;
  const isKnown = head.n === n ? head.hash === hash : head.n + 1 !== n || head.hash === before;
  if (isKnown && n - head.n <= MOST_AHEAD) return undefined;
  return `Entry ${n}, or one before it, is not the one that was written.`;
}

function gapBefore(head: AuditHead | undefined): string | undefined {
  return head === undefined || head.n === 0
    ? undefined
    : `Entries up to ${head.n} were removed before this one.`;
}

/** On the disk before anything acts upon it: a machine that goes down loses no head's entry. */
async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
