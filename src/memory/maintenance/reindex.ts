import { INDEXED_KINDS } from "../context/indexed-kind.ts";
import type { MemoryEngine } from "../open-memory.ts";
import { rebuildTextIndex, textsAreFresh } from "../search/match-texts.ts";
import type { DoctorWork } from "./check.ts";
import { runInDoctorProcess } from "./check.ts";
import { forgetAllVectors } from "./checks/vectors.ts";

export interface Reindexed {
  readonly made: number;
  /** Items still without a vector, if there is no embedder or it failed. */
  readonly missing: number;
}

/**
 * Rebuilds the text index and all vectors with the configured embedder; `onlyMissing` resumes an
 * interrupted run. Partial results are stored and completed by the next recall or reindex. Throws
 * the signal's reason.
 */
export async function reindex(
  memory: MemoryEngine,
  work: DoctorWork & { readonly onlyMissing?: boolean } = {},
): Promise<Reindexed> {
  if (work.onlyMissing !== true) await rebuildSearchIndexes(memory, work);
  const requested = await memory.vectors.countPending();
  const missing = await memory.makeMissingVectors({
    signal: work.signal,
    onProgress: work.onProgress,
  });
  return { made: requested - missing, missing };
}

export async function rebuildSearchIndexes(
  memory: MemoryEngine,
  work: DoctorWork = {},
): Promise<void> {
  const database = await memory.database();
  const here = () =>
    database.write(async (tx) => {
      for (const kind of INDEXED_KINDS) await rebuildTextIndex(tx, kind);
      await textsAreFresh(tx);
      await forgetAllVectors(tx);
    });
  await runInDoctorProcess(
    database,
    { task: "rebuildSearchIndexes", name: memory.name },
    { work, here },
  );
}
