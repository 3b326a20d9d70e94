import { appendFile, mkdir, open, rename, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, toTimestamp } from "../../kernel/clock.ts";

import { maskSecrets } from "../../memory/index.ts";
import { waitForProcessLock } from "../processes/wait-for-process-lock.ts";
import { type AuditEntry, type AuditedCall, auditEntry, BEGINNING, hashOf } from "./audit-entry.ts";

/** Of a subject; a whole file that a command writes is no part of the log. */
const MAX_SUBJECT = 10_000;
/** Longer than any entry. */
const TAIL_BYTES = 256 * 1024;

/**
 * What the agent did and was kept from in one project: lines that are added and never changed, each
 * with the hash of the one before. Several cairns write to one log.
 */
export class AuditLog {
  readonly #file: string;
  readonly #clock: Clock;
  /** One after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Rejects where it cannot be noted: then the call is not to run. */
  note(call: AuditedCall): Promise<void> {
    const noted = this.#last.then(() => this.#add(call));
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  async #add(call: AuditedCall): Promise<void> {
    const [subject, reason] = await Promise.all([
      maskSecrets(call.subject.slice(0, MAX_SUBJECT)),
      maskSecrets(call.reason),
    ]);
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const release = await waitForProcessLock(`${this.#file}.lock`);
    try {
      const last = await this.#readLast();
      const before = last?.hash ?? BEGINNING;
      const at = toTimestamp(this.#clock.now());
      const said = { ...call, subject, reason, n: (last?.n ?? 0) + 1, at, before, hash: "" };
      const entry = { ...said, hash: hashOf(said) };
      await appendFile(this.#file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
      await this.#writeHead(entry);
    } finally {
      release();
    }
  }

  /** Replaced as a whole: half a head would count as a log that was cut. */
  async #writeHead({ n, hash }: AuditEntry): Promise<void> {
    const draft = `${this.#file}.head.new`;
    await writeFile(draft, JSON.stringify({ n, hash }), { mode: 0o600 });
    await rename(draft, `${this.#file}.head`);
  }

  /** What a machine that went down left half is cut off: it was never acted upon. */
  async #readLast(): Promise<AuditEntry | undefined> {
    const file = await open(this.#file, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      );
      const tail = buffer.subarray(0, bytesRead);
      const end = tail.lastIndexOf(0x0a);
      if (end + 1 < tail.length) await truncate(this.#file, from + end + 1);
      if (end === -1) return undefined;
      const line = tail.subarray(tail.lastIndexOf(0x0a, end - 1) + 1, end).toString("utf8");
      // One that was tampered with is gone on from, and found by who reads the log.
      return auditEntry.parse(JSON.parse(line));
    } finally {
      await file.close();
    }
  }
}
