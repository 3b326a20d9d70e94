import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { commandOutsideProjects } from "../../shared/programs.ts";

/**
 * True if a name starts a program that neither lies in a project nor chooses by the project what it
 * runs, as the shims of version managers do.
 */
export function isOfSystem(program: string, path: string | undefined): boolean {
  const found = commandOutsideProjects(program, path);
  if (found === undefined) return false;
  return ![found, realpathSync(found)].some((place) => /\/(shims|\.volta)$/.test(dirname(place)));
}
