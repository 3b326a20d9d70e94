import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { isReached } from "../checkpoints/file-copy.ts";

/** What lies at a path: a file with its bytes and whether it can be run, a link, or nothing. */
export type FileState =
  | { readonly kind: "file"; readonly content: Buffer; readonly isProgram: boolean }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "none" }
  /** A folder, a device, or something behind a link: nothing is written there. */
  | { readonly kind: "other" };

export function readState(root: string, path: string): FileState {
  const whole = join(root, path);
  const stats = lstatSync(whole, { throwIfNoEntry: false });
  if (!isBelow(root, path)) return { kind: "other" };
  if (stats === undefined) return { kind: "none" };
  if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(whole) };
  if (!stats.isFile()) return { kind: "other" };
  return { kind: "file", content: readFileSync(whole), isProgram: (stats.mode & 0o100) !== 0 };
}

export function isSameState(a: FileState, b: FileState): boolean {
  if (a.kind === "file" && b.kind === "file") {
    return a.isProgram === b.isProgram && a.content.equals(b.content);
  }
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === b.kind;
}

/** Whether all folders above it are folders of the tree, or could be made: none of them is a link. */
function isBelow(root: string, path: string): boolean {
  const known = new Map<string, boolean>([[root, true]]);
  let folder = dirname(join(root, path));
  while (folder.length > root.length) {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return isReached(folder, known);
    folder = dirname(folder);
  }
  return true;
}
