import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { commandOutsideProjects } from "../../shared/programs.ts";

/**
 * True if the program is outside of projects and does not select by the project what it runs, as
 * shims of version managers do.
 */
export function isOfSystem(program: string, path: string | undefined): boolean {
  const found = commandOutsideProjects(program, path);
  if (found === undefined) return false;
  return ![found, realpathSync(found)].some((place) => /\/(shims|\.volta)$/.test(dirname(place)));
}
