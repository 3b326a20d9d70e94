import { readFile, stat } from "node:fs/promises";

const MAX_BYTES = 64 * 1024 * 1024;

/** Undefined where there is no such file, or one that is no image whatever it holds. */
export async function readImageFile(path: string): Promise<Uint8Array | undefined> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= MAX_BYTES ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}
