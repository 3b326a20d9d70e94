import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ChainPlace } from "../../shared/chained-log/chain-place.ts";

/**
 * Where the log of one project is kept: `<data dir>/audit/<project hash>.jsonl`, its head beside it
 * and in `<config dir>/audit-heads`.
 */
export function auditPlace(dataDir: string, configDir: string, projectRoot: string): ChainPlace {
  const hash = createHash("sha256").update(realPathOf(projectRoot)).digest("hex").slice(0, 16);
  return {
    file: join(dataDir, "audit", `${hash}.jsonl`),
    secondHead: join(configDir, "audit-heads", `${hash}.json`),
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}
