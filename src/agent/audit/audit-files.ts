import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

/** Where a log lies, and the two places in which its last entry is noted. */
export interface AuditPlace {
  readonly file: string;
  /** In the person's config: who can change the data folder alone does not reach it. */
  readonly secondHead: string;
}

/** The last entry, kept apart, so that a log that was cut is found out. */
export const auditHead = z.strictObject({ n: z.number().int().min(0), hash: z.string() });

export type AuditHead = z.output<typeof auditHead>;

/**
 * Where the log of one project is kept: `<data dir>/audit/<project hash>.jsonl`, its head beside it
 * and in `<config dir>/audit-heads`.
 */
export function auditPlace(dataDir: string, configDir: string, projectRoot: string): AuditPlace {
  const hash = createHash("sha256").update(realPathOf(projectRoot)).digest("hex").slice(0, 16);
  return {
    file: join(dataDir, "audit", `${hash}.jsonl`),
    secondHead: join(configDir, "audit-heads", `${hash}.json`),
  };
}

/** Where the head beside the log is. */
export function firstHead({ file }: AuditPlace): string {
  return `${file}.head`;
}

/** The log's earlier parts, oldest first: `<project hash>.000000004711.jsonl`, by its last entry. */
export async function earlierParts({ file }: AuditPlace): Promise<readonly string[]> {
  const beginning = `${basename(file, ".jsonl")}.`;
  const names = await readdir(dirname(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const parts = names.filter(
    (name) => name.startsWith(beginning) && /^[0-9]{12}\.jsonl$/.test(name.slice(beginning.length)),
  );
  return parts.sort().map((name) => join(dirname(file), name));
}

/** The name that a part gets once another begins. */
export function partName({ file }: AuditPlace, lastEntry: number): string {
  return file.replace(/\.jsonl$/, `.${String(lastEntry).padStart(12, "0")}.jsonl`);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}
