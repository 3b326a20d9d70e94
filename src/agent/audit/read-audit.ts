import { readFile } from "node:fs/promises";
import { type AuditEntry, auditEntry, BEGINNING, hashOf } from "./audit-entry.ts";
import { type AuditPlace, earlierParts } from "./audit-files.ts";
import { readHeads } from "./audit-heads.ts";

export interface ReadAudit {
  /** Up to the first that does not hold. */
  readonly entries: readonly AuditEntry[];
  /** Where the log was changed, cut or broken, in words; undefined: it holds. */
  readonly problem: string | undefined;
  /** The number of the first entry that does not hold. */
  readonly brokenAt: number | undefined;
  /** What is to be known of a log that holds: a write was killed. */
  readonly notice: string | undefined;
}

/** Reads a log and checks its chain, and against its heads that nothing was cut from its end. */
export async function readAudit(place: AuditPlace): Promise<ReadAudit> {
  const { last: head, problem: headProblem } = await readHeads(place);
  const texts = await Promise.all([...(await earlierParts(place)), place.file].map(readIfThere));
  const entries: AuditEntry[] = [];
  const problem = (what: string, brokenAt = entries.length + 1): ReadAudit => ({
    ...{ entries, problem: what, brokenAt, notice: undefined },
  });
  // A write that was killed left the last line half; what is whole ends with a break.
  let half = "";
  let before = BEGINNING;
  for (const text of texts) {
    if (half !== "") return problem(`Entry ${entries.length + 1} is not whole.`);
    const lines = text.split("\n");
    half = lines.pop() ?? "";
    for (const line of lines) {
      const n = entries.length + 1;
      const entry = auditEntry.safeParse(parsed(line)).data;
      if (entry === undefined) return problem(`Entry ${n} cannot be read.`);
      if (entry.n !== n) return problem(`Entry ${n} is missing.`);
      if (entry.before !== before) return problem(`Entry ${n} does not follow the one before it.`);
      if (entry.hash !== hashOf(entry)) return problem(`Entry ${n} was changed.`);
      if (entry.outcome === "broken") return problem(entry.subject);
      entries.push(entry);
      before = entry.hash;
    }
  }
  if (headProblem !== undefined) return problem(headProblem);
  if (head === undefined && entries.length > 0) return problem("Its head is missing.");
  if (head !== undefined && head.n > entries.length) {
    return problem(`Entries ${entries.length + 1} to ${head.n} were cut off.`);
  }
  if (head !== undefined && head.n > 0 && entries[head.n - 1]?.hash !== head.hash) {
    return problem(`Entry ${head.n} is not the one that was written.`, head.n);
  }
  const notice =
    half === ""
      ? undefined
      : "The last line was left half by a write that was killed; the next entry says so.";
  return { entries, problem: undefined, brokenAt: undefined, notice };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no entry either.
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
