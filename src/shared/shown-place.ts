import { homedir } from "node:os";
import { basename, isAbsolute, relative } from "node:path";

/** The address of a server, such as `postgres://host/name`, which is no folder. */
const ADDRESS = /^[a-z]+:\/\//;

/**
 * The location of databases as an answer shows it. Answers carry no absolute paths: a folder below the home
 * folder becomes `~/…`, any other folder its last part. The address of a server is shown as it is.
 */
export function shownPlace(location: string, home = homedir()): string {
  if (ADDRESS.test(location)) return location;
  const below = relative(home, location);
  if (below !== "" && !below.startsWith("..") && !isAbsolute(below)) return `~/${below}`;
  return `…/${basename(location)}`;
}
