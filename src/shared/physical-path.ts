import { lstatSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { showControlLine } from "./text.ts";

const MAX_LINKS = 40;

/**
 * Resolves an absolute path as the kernel does: each link is followed where it stands, so `..` after a
 * link is the parent of its target. Missing parts stay as written. A circle of links resolves to `/`.
 */
export function physicalPath(path: string): string {
  const rest = path.split("/").reverse();
  const at: string[] = [];
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      at.pop();
      continue;
    }
    const target = linkTarget(`/${[...at, part].join("/")}`);
    if (target === undefined) {
      at.push(part);
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return "/";
    if (target.startsWith("/")) at.length = 0;
    rest.push(...target.split("/").reverse());
  }
  return `/${at.join("/")}`;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? readlinkSync(path)
      : undefined;
  } catch {
    // Too long for a name, or below a file: nothing that a link could be.
    return undefined;
  }
}

/** Names a path as `docs/key → /home/me/.ssh/id_rsa` if its real path differs from the named one. */
export function withTarget(
  label: string,
  { named, real }: { readonly named: string; readonly real: string },
): string {
  return named === real ? label : `${label} → ${real}`;
}

export interface ShowPathOptions {
  /** Absolute; links above it are not shown. */
  readonly root: string;
  readonly label?: string;
}

/**
 * Formats an absolute path that a user decides about: on one line, escaped, with its real target if it
 * contains a symbolic link.
 */
export function showPath(path: string, { root, label = path }: ShowPathOptions): string {
  const named = join(physicalPath(root), relative(root, path));
  return showControlLine(withTarget(label, { named, real: physicalPath(path) }));
}
