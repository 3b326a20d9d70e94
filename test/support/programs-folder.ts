import { resolve } from "node:path";

/** Where a run bundles what its tests start: inside the repository, where packages and migrations are found. */
export function programsFolder(pid: number): string {
  return resolve(import.meta.dirname, "../../node_modules/.cache/cairn-test", String(pid));
}
