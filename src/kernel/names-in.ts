import { readdirSync } from "node:fs";

/** Names of what is in a folder; none where there is no such folder. Throws what else hinders reading. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
