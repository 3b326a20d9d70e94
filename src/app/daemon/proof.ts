// Part of the client: nothing but parts of Node.js is imported here.
import { closeSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const NAME = /^ask-[a-z0-9-]{1,80}$/;

/**
 * Proves that this process may write to the daemon's folder. A sandboxed process may be able to connect to
 * the socket without that right, and must not write through another process. Returns the file's name.
 */
export function makeProof(folder: string, id: string): string {
  const name = `ask-${id}`;
  closeSync(openSync(join(folder, name), "wx", 0o600));
  return name;
}

/** True if there was such a file; it is gone afterwards. */
export function takeProof(folder: string, name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    unlinkSync(join(folder, name));
    return true;
  } catch {
    return false;
  }
}
