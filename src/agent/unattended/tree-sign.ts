import { createHash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { filesOfTree } from "../copies/files-of-tree.ts";

/** Another text once a file of the tree was added, written or removed. */
export async function signOfTree(root: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await filesOfTree(root, existsSync(join(root, ".git")))) {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    hash.update(`${path}\0${stats?.size}\0${stats?.mtimeMs}\0${stats?.mode}\n`);
  }
  return hash.digest("hex");
}
