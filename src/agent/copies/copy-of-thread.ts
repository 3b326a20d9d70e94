import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { listCopies } from "./copy-place.ts";

const note = z.object({ threadId: z.string() });
const FILE = "thread.json";

/** The name of the copy that is made for a thread. */
export function nameOfThreadsCopy(threadId: string): string {
  return `thread-${createHash("sha256").update(threadId).digest("hex").slice(0, 10)}`;
}

/** Keeps for which thread the copy was made. */
export function noteThread({ folder }: ProjectCopy, threadId: string): void {
  writeFileAtomic.sync(join(folder, FILE), `${JSON.stringify({ threadId })}\n`, { mode: 0o600 });
}

/** Copies of the project that were made for threads, by thread. */
export function copiesOfThreads(
  dataDir: string,
  project: string,
): ReadonlyMap<string, ProjectCopy> {
  const found = new Map<string, ProjectCopy>();
  for (const copy of listCopies(dataDir, project)) {
    const file = join(copy.folder, FILE);
    if (!existsSync(file)) continue;
    const { data } = note.safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (data !== undefined) found.set(data.threadId, copy);
  }
  return found;
}
