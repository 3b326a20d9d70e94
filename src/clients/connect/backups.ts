import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SERVER_NAME } from "../index.ts";

const BACKUP_SUFFIX = ".before-cairn-";

/** Lists `connect`'s backups of a config, oldest first; names end in the time. */
export function listBackups(realPath: string): string[] {
  const folder = dirname(realPath);
  if (!existsSync(folder)) return [];
  const beginning = `${basename(realPath)}${BACKUP_SUFFIX}`;
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning));
  return names.sort().map((name) => join(folder, name));
}

export function backupPath(realPath: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let backup = `${realPath}${BACKUP_SUFFIX}${stamp}`;
  for (let more = 2; existsSync(backup); more += 1)
    backup = `${realPath}${BACKUP_SUFFIX}${stamp}-${more}`;
  return backup;
}

/** True if the config existed before cairn: one of its backups does not mention cairn. */
export function existedBefore(realPath: string): boolean {
  const [oldest] = listBackups(realPath);
  return oldest !== undefined && !readFileSync(oldest, "utf8").includes(SERVER_NAME);
}

/** Preserves the backups from before cairn and before the latest change. */
export function pruneBackups(realPath: string): void {
  for (const backup of listBackups(realPath).slice(1, -1)) rmSync(backup);
}

/** After removal, preserves only the first backup, and only if it differs from the file. */
export function removeBackups(realPath: string, after: string): void {
  const [oldest, ...others] = listBackups(realPath);
  if (oldest === undefined) return;
  for (const backup of others) rmSync(backup);
  const first = readFileSync(oldest, "utf8");
  if (after === "" || first === after || first.includes(SERVER_NAME)) rmSync(oldest);
}
