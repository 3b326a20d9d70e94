import { resolve, sep } from "node:path";

/** Whether a path is a folder or lies below it; both as they are written, links not followed. */
export function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}
