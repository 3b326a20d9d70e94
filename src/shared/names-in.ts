import { readdirSync } from "node:fs";
import { isMissingFile } from "./errors.ts";

/** Names of what is in a folder; none where there is no such folder. Throws what else hinders reading. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}
