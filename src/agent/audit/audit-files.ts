import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The last entry, kept apart, so that a log that was cut is found out. */
export const auditHead = z.strictObject({ n: z.number().int().min(0), hash: z.string() });

export type AuditHead = z.output<typeof auditHead>;

/** Where the log of one project is kept: `<data dir>/audit/<project hash>.jsonl`. */
export function auditFile(dataDir: string, projectRoot: string): string {
  const hash = createHash("sha256").update(realPathOf(projectRoot)).digest("hex").slice(0, 16);
  return join(dataDir, "audit", `${hash}.jsonl`);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}
