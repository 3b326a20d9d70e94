import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Lists files, modes, link targets and empty folders, without `.git`. */
export function listTree(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name !== ".git")
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const info = lstatSync(join(root, path));
      const mode = (info.mode & 0o7777).toString(8);
      if (info.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path))}`];
      if (info.isDirectory()) return [`${path}/ ${mode}`, ...listTree(root, path)];
      if (!info.isFile()) return [`${path} special`];
      return [`${path} ${mode} ${readFileSync(join(root, path)).toString("base64")}`];
    });
}
