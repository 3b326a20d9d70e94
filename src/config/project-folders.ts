import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const MARKS = [join(".cairn", "config.json"), join(".cairn", "commands")];

/**
 * The folder whose config holds in `cwd`: the nearest upwards that has one, at most the home folder;
 * else `cwd` itself.
 */
export function configRoot(cwd: string, home: string): string {
  const found = foldersUpwards(cwd, home).find((folder) =>
    MARKS.some((mark) => existsSync(join(folder, mark))),
  );
  return found ?? cwd;
}

/**
 * `cwd` and the folders above it, up to the home folder or the root. A folder above in which
 * everybody may write, such as `/tmp`, is left out: what lies there may be anybody's.
 */
export function foldersUpwards(cwd: string, home: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== home && folder !== dirname(folder); ) {
    folder = dirname(folder);
    if (!isOpenToAll(folder)) folders.push(folder);
  }
  return folders;
}

const WRITABLE_BY_OTHERS = 0o002;

function isOpenToAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== "win32" && (mode & WRITABLE_BY_OTHERS) !== 0;
}
