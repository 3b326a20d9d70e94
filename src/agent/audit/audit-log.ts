import { createHash } from "node:crypto";
import { appendFileSync, existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { maskSecrets } from "../../memory/index.ts";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { makeFolder } from "../../shared/files.ts";

const AUDIT_OUTCOMES = [
  "allowed",
  "refused",
  "nobody to ask",
  "proposed",
  "answered once",
  "answered session",
  "answered always",
  "answered no",
  "cancelled",
  "answered",
  "reached",
  "kept from",
  "key used",
] as const;

const auditEntry = z.object({
  at: z.string(),
  threadId: z.string(),
  tool: z.string(),
  /** The command, path, host or arguments; secrets are masked. */
  subject: z.string(),
  /** Reason of a question or denial; empty if the mode requires it. */
  reason: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  network: z.boolean(),
  keys: z.boolean(),
  /** Client that answered: `terminal`, `cairn-page 1.0`. */
  by: z.string().optional(),
});

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditOutcome = AuditEntry["outcome"];
export type AuditedCall = Omit<AuditEntry, "at">;

const MAX_SUBJECT_CHARACTERS = 10_000;

/** `<data dir>/audit/<hash of the project's real path>.jsonl`. */
export function auditFile(dataDir: string, projectRoot: string): string {
  const path = existsSync(projectRoot) ? realpathSync(projectRoot) : projectRoot;
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(dataDir, "audit", `${hash}.jsonl`);
}

/** Append-only log of the agent in one project; several processes may write to it. */
export class AuditLog {
  readonly #file: string;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Rejects if the entry cannot be written; the call must not run then. */
  note(call: AuditedCall): Promise<void> {
    const written = this.#last.then(async () => {
      const [subject, reason] = await Promise.all([
        maskSecrets(call.subject.slice(0, MAX_SUBJECT_CHARACTERS)),
        maskSecrets(call.reason),
      ]);
      const entry: AuditEntry = { at: toTimestamp(this.#clock.now()), ...call, subject, reason };
      makeFolder(dirname(this.#file));
      // The leading line break ends a line that a crash cut off; blank lines are skipped.
      appendFileSync(this.#file, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
    });
    this.#last = written.catch(() => undefined);
    return written;
  }
}

export interface AuditRead {
  readonly entries: readonly AuditEntry[];
  /** Invalid lines, such as one that a crash cut off. */
  readonly skipped: number;
}

export async function readAudit(file: string): Promise<AuditRead> {
  if (!existsSync(file)) return { entries: [], skipped: 0 };
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const entries = lines.flatMap((line) => parseEntry(line) ?? []);
  return { entries, skipped: lines.length - entries.length };
}

function parseEntry(line: string): AuditEntry | undefined {
  try {
    return auditEntry.safeParse(JSON.parse(line)).data;
  } catch {
    // Expected: a line that a crash cut off.
    return undefined;
  }
}
