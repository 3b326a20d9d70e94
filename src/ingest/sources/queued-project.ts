import { existsSync } from "node:fs";
import { z } from "zod";
import type { Memory } from "../../memory/index.ts";
import { readDecisions, SOURCE_KEY } from "./decisions/read-decisions.ts";
import { type HistoryLocation, historySource, readHistory } from "./git/read-history.ts";
import { pruneSources } from "./prune-sources.ts";
import { SOURCE_TYPES, sourcesKeep } from "./settings.ts";
import type { SourceBatch } from "./store-source.ts";
import { loadMark, storeSource } from "./store-source.ts";

/** Maximum commits read in a project's first session. */
const MAX_COMMITS_AT_START = 500;

const queuedProject = z.object({
  folder: z.string(),
  db: z.string(),
  off: z.array(z.enum(SOURCE_TYPES)),
  keep: sourcesKeep,
});
export type QueuedProject = z.output<typeof queuedProject>;

/** Reads new project content and forgets expired sources. Idempotent. */
export async function readQueuedProject(
  work: unknown,
  getMemory: (db: string) => Memory,
): Promise<void> {
  const { folder, db, off, keep } = queuedProject.parse(work);
  const memory = getMemory(db);
  // The project was removed in the meantime.
  if (!existsSync(folder)) return;
  if (!off.includes("git")) await continueHistory(memory, folder);
  if (!off.includes("decisions")) await continueDecisions(memory, folder);
  await pruneSources(memory, keep, new Date());
}

async function continueHistory(memory: Memory, folder: string): Promise<void> {
  const name = await historySourceName(folder);
  if (name === undefined) return;
  const known = await loadMark(memory, name);
  const location = {
    folder: name.place,
    maxCommits: MAX_COMMITS_AT_START,
  } satisfies HistoryLocation;
  for await (const batch of readHistory(location, known)) {
    await storeSource(memory, batch);
  }
}

async function continueDecisions(memory: Memory, folder: string): Promise<void> {
  for await (const batch of readChangedDecisions(memory, folder)) await storeSource(memory, batch);
}

/** Yields decision files missing from memory, from the whole work tree if there is one. */
export async function* readChangedDecisions(
  memory: Memory,
  folder: string,
): AsyncGenerator<SourceBatch> {
  const history = await historySourceName(folder);
  const location = { folder: history?.place ?? folder, project: history?.key ?? folder };
  const isThere = await memory.isThere();
  const known = isThere ? await memory.execute("list_sources", { kind: SOURCE_KEY }) : undefined;
  yield* readDecisions(location, known?.sources ?? []);
}

function historySourceName(folder: string) {
  return historySource(folder).catch(() => undefined);
}
