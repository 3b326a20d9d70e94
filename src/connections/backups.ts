import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SERVER_NAME } from "../clients/index.ts";

const MARK = ".before-cairn-";

/** Copies that `connect` made of a config, the oldest first: their names end in the time. */
export function backupsOf(realPath: string): string[] {
  const folder = dirname(realPath);
  if (!existsSync(folder)) return [];
  const beginning = `${basename(realPath)}${MARK}`;
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning));
  return names.sort().map((name) => join(folder, name));
}

export function backupPath(realPath: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let backup = `${realPath}${MARK}${stamp}`;
  for (let more = 2; existsSync(backup); more += 1) backup = `${realPath}${MARK}${stamp}-${more}`;
  return backup;
}

/** Whether the config was somebody's before cairn stood in it: then there is a copy without cairn. */
export function wasThereBefore(realPath: string): boolean {
  const [oldest] = backupsOf(realPath);
  return oldest !== undefined && !readFileSync(oldest, "utf8").includes(SERVER_NAME);
}

/** Of many rounds the first copy and the last are kept: as it was before cairn, and before now. */
export function pruneBackups(realPath: string): void {
  for (const backup of backupsOf(realPath).slice(1, -1)) rmSync(backup);
}

/** Once cairn is taken out, only the first copy may still be of use, and none if it is like the file. */
export function dropBackups(realPath: string, after: string): void {
  const [oldest, ...others] = backupsOf(realPath);
  if (oldest === undefined) return;
  for (const backup of others) rmSync(backup);
  const first = readFileSync(oldest, "utf8");
  if (after === "" || first === after || first.includes(SERVER_NAME)) rmSync(oldest);
}
