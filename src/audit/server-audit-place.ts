import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { ChainPlace } from "../shared/chained-log/chain-place.ts";
import type { AuditSettings } from "./settings.ts";

interface Folders {
  readonly home: string;
  readonly userConfigDir: string;
}

/** Where a server's log lies; undefined: nothing is noted. */
export function serverAuditPlace(
  { file, head }: Pick<AuditSettings, "file" | "head">,
  { home, userConfigDir }: Folders,
): ChainPlace | undefined {
  if (file === undefined) return undefined;
  const whole = (path: string) => resolve(path.replace(/^~(?=[/\\])/, () => home));
  const path = whole(file);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const usual = join(userConfigDir, "audit-heads", `server-${hash}.json`);
  return { file: path, secondHead: head === undefined ? usual : whole(head) };
}
