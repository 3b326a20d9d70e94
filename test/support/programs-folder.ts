import { resolve } from "node:path";

/** Folder for bundled programs, inside the repository so that packages and migrations resolve. */
export function programsFolder(pid: number): string {
  return resolve(import.meta.dirname, "../../node_modules/.cache/cairn-test", String(pid));
}
