import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { commandOutsideProjects } from "../../shared/programs.ts";

/** True for a program outside of projects that is not a shim of a version manager. */
export function isOfSystem(program: string, path: string | undefined): boolean {
  const found = commandOutsideProjects(program, path);
  if (found === undefined) return false;
  return ![found, realpathSync(found)].some((place) => /\/(shims|\.volta)$/.test(dirname(place)));
}
