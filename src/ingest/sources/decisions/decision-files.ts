import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Files in which projects commonly describe how things are done. */
const FILES =
  /^(?:agents|claude|gemini|decisions|architecture|changelog|changes|history|conventions)\.(?:md|markdown)$|^\.(?:cursorrules|windsurfrules|clinerules)$/i;
/** Folders in which tools keep decisions, one a file. */
const FOLDERS = [
  "docs/decisions",
  "docs/adr",
  "docs/adrs",
  "docs/architecture/decisions",
  "docs/architecture-decisions",
  "doc/adr",
  "doc/decisions",
  "doc/architecture/decisions",
  "adr",
  "adrs",
  "decisions",
  ".cursor/rules",
] as const;
const IN_FOLDERS = /\.(?:md|mdc|markdown)$/i;
const FURTHER = [".github/copilot-instructions.md"] as const;
const MOST_FILES = 300;

/** Paths of decision files below the folder, with `/`. Links are not followed. */
export async function decisionFiles(folder: string): Promise<string[]> {
  const found = (await filesIn(folder)).filter((name) => FILES.test(name)).sort();
  for (const further of FURTHER) {
    if (await isPlain(folder, further, "file")) found.push(further);
  }
  for (const inner of FOLDERS) {
    if (!(await isPlain(folder, inner, "folder"))) continue;
    const names = (await filesIn(join(folder, inner))).filter((name) => IN_FOLDERS.test(name));
    found.push(...names.sort().map((name) => `${inner}/${name}`));
  }
  return found.slice(0, MOST_FILES);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Whether no part of the path is a link, since a project may only show what is inside its folder. */
async function isPlain(folder: string, path: string, kind: "file" | "folder"): Promise<boolean> {
  const parts = path.split("/");
  for (const place of parts.keys()) {
    const inner = join(folder, ...parts.slice(0, place + 1));
    const stats = await lstat(inner).catch(() => undefined);
    const isLast = place === parts.length - 1;
    const isExpected = isLast && kind === "file" ? stats?.isFile() : stats?.isDirectory();
    if (isExpected !== true) return false;
  }
  return true;
}
