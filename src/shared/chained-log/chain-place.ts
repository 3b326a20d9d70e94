import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where a log lies, and the two places in which its last entry is noted. */
export interface ChainPlace {
  readonly file: string;
  /** Not beside the log: who can change that folder alone does not reach it. */
  readonly secondHead: string;
}

/** Where the head beside the log is. */
export function firstHead({ file }: ChainPlace): string {
  return `${file}.head`;
}

/** The log's earlier parts, oldest first: `<name>.000000004711.jsonl`, by its last entry. */
export async function earlierParts({ file }: ChainPlace): Promise<readonly string[]> {
  const beginning = `${basename(stemOf(file))}.`;
  const names = await readdir(dirname(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const parts = names.filter(
    (name) => name.startsWith(beginning) && /^[0-9]{12}\.jsonl$/.test(name.slice(beginning.length)),
  );
  return parts.sort().map((name) => join(dirname(file), name));
}

/** The name that a part gets once another begins. */
export function partName({ file }: ChainPlace, lastEntry: number): string {
  return `${stemOf(file)}.${String(lastEntry).padStart(12, "0")}.jsonl`;
}

/** The number of the last entry of an earlier part. */
export function lastEntryOf(part: string): number {
  return Number(part.slice(-"000000000000.jsonl".length, -".jsonl".length));
}

function stemOf(file: string): string {
  return file.replace(/\.jsonl$/, "");
}
