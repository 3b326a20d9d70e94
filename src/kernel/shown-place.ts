import { homedir } from "node:os";
import { basename, isAbsolute, relative } from "node:path";

/** `postgres://host/name` and the like, which is nobody's folder. */
const ADDRESS = /^[a-z]+:\/\//;

/**
 * Where databases lie as an answer names it: a folder below the home folder as `~/…`, elsewhere by
 * its last part alone, since answers carry no absolute paths; the address of a server as it is.
 */
export function shownPlace(location: string, home = homedir()): string {
  if (ADDRESS.test(location)) return location;
  const below = relative(home, location);
  if (below !== "" && !below.startsWith("..") && !isAbsolute(below)) return `~/${below}`;
  return `…/${basename(location)}`;
}
