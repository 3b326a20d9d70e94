import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";

/** The path, or a folder above it, is not there. */
export function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Undefined for what is not there, or behind a folder through which this user does not come. Throws where
 * the system could not say: what was not seen must not count as absent.
 */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isGone(error) || (error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}
