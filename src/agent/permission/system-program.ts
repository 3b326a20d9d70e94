import { realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute } from "node:path";
import { findProgram } from "../tools/find-program.ts";
import { isInside } from "../tools/project-paths.ts";

/**
 * True if a name starts a program that neither lies in the project nor chooses by the project what
 * it
 * runs, as the shims of version managers do.
 */
export async function isOfSystem(
  program: string,
  { projectRoot, path }: { readonly projectRoot: string; readonly path: string | undefined },
): Promise<boolean> {
  if (program.includes("/")) return false;
  const folders = (path ?? "").split(delimiter);
  // An empty or relative part of PATH is looked for in the project.
  if (folders.some((folder) => !isAbsolute(folder))) return false;
  const found = await findProgram(program, path);
  if (found === undefined) return false;
  const real = await realpath(found);
  return ![found, real].some(
    (place) =>
      isInside(projectRoot, place) || /\/(shims|\.volta|node_modules\/\.bin)$/.test(dirname(place)),
  );
}
