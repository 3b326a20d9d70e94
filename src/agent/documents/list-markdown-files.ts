import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

export async function listMarkdownFiles(folder: string): Promise<readonly string[]> {
  const names = await listNames(folder);
  return names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}

/** Sorted, without hidden names; empty if the folder is missing. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => !name.startsWith(".")).sort();
  } catch {
    return [];
  }
}

export function parseFileName(path: string): string {
  return basename(path, ".md");
}
