import { execFile } from "node:child_process";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { DEPENDENCIES } from "./files-of-tree.ts";

/** Below the root they are looked for this deep: `packages/a/node_modules`. */
const DEPTH = 3;

/**
 * Folders of dependencies of their own for the copy, sharing blocks with the first ones where the file
 * system can, so that nothing is installed again and nothing is written through. Those that git keeps
 * are there already.
 */
export async function copyDependencies(from: string, to: string): Promise<readonly string[]> {
  const found = dependenciesBelow(from, "", DEPTH);
  const missing = found.filter((path) => !existsSync(join(to, path)));
  for (const path of missing) await copyFolder(join(from, path), join(to, path));
  return missing;
}

function dependenciesBelow(root: string, folder: string, depth: number): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === ".git") return [];
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (DEPENDENCIES.has(entry.name)) return [path];
    return depth === 0 ? [] : dependenciesBelow(root, path, depth - 1);
  });
}

/** `cp` shares blocks for whole folders, in a fraction of the time of a copy file by file. */
function copyFolder(from: string, to: string): Promise<void> {
  const shares = process.platform === "darwin" ? ["-Rpc"] : ["-a", "--reflink=auto"];
  return new Promise<void>((resolve, reject) => {
    execFile("cp", [...shares, "--", from, to], (error) => {
      if (error === null) return resolve();
      const options = { recursive: true, verbatimSymlinks: true, force: true } as const;
      cp(from, to, options).then(resolve, reject);
    });
  }).then(() => {
    if (!lstatSync(to).isDirectory()) throw new Error(`${to} was not copied.`);
  });
}
