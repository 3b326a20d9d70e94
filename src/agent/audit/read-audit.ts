import { readFile } from "node:fs/promises";
import { type AuditEntry, auditEntry, BEGINNING, hashOf } from "./audit-entry.ts";
import { type AuditHead, auditHead } from "./audit-files.ts";

export interface ReadAudit {
  /** Up to the first that does not hold. */
  readonly entries: readonly AuditEntry[];
  /** Where the log was changed, cut or broken, in words; undefined: it holds. */
  readonly problem: string | undefined;
}

/** Reads a log and checks its chain, and against its head that nothing was cut from its end. */
export async function readAudit(file: string): Promise<ReadAudit> {
  const text = await readIfThere(file);
  const head = await readHead(`${file}.head`);
  const entries: AuditEntry[] = [];
  const problem = (what: string): ReadAudit => ({ entries, problem: what });
  const lines = (text ?? "").split("\n");
  // A write that the machine went down in left the last line half; what is whole ends with a break.
  const half = lines.pop() ?? "";
  let before = BEGINNING;
  for (const [index, line] of lines.entries()) {
    const entry = auditEntry.safeParse(parsed(line)).data;
    const n = index + 1;
    if (entry === undefined) return problem(`Entry ${n} cannot be read.`);
    if (entry.n !== n) return problem(`Entry ${n} is missing.`);
    if (entry.before !== before) return problem(`Entry ${n} does not follow the one before it.`);
    if (entry.hash !== hashOf(entry)) return problem(`Entry ${n} was changed.`);
    entries.push(entry);
    before = entry.hash;
  }
  if (head === "unreadable") return problem("The head of the log cannot be read.");
  if (head === undefined) {
    return entries.length === 0 ? { entries, problem: undefined } : problem("Its head is missing.");
  }
  if (head.n > entries.length) {
    return problem(`Entries ${entries.length + 1} to ${head.n} were cut off.`);
  }
  if (head.n > 0 && entries[head.n - 1]?.hash !== head.hash) {
    return problem(`Entry ${head.n} is not the one that was written.`);
  }
  if (half !== "") return problem("The last line is not whole.");
  return { entries, problem: undefined };
}

async function readHead(file: string): Promise<AuditHead | "unreadable" | undefined> {
  const text = await readIfThere(file);
  return text === undefined ? undefined : (auditHead.safeParse(parsed(text)).data ?? "unreadable");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no entry either.
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
