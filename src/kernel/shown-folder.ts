import { homedir } from "node:os";
import { basename, isAbsolute, relative } from "node:path";

/**
 * A folder as an answer names it: below the home folder as `~/…`, elsewhere by its last part alone,
 * since answers carry no absolute paths.
 */
export function shownFolder(path: string, home = homedir()): string {
  const below = relative(home, path);
  if (below !== "" && !below.startsWith("..") && !isAbsolute(below)) return `~/${below}`;
  return `…/${basename(path)}`;
}
