import { isCairnError } from "../shared/errors.ts";
import type { MemoryEngine } from "./open-memory.ts";
import { loadStats } from "./stats/load-stats.ts";

export interface DatabaseCounts {
  readonly episodes: number;
  readonly concepts: number;
  readonly facts: number;
  readonly open_conflicts: number;
  /** Of its last event; 0 before the first. */
  readonly last_seq: number;
}

/** What a database holds; undefined for one that cannot be read, which `cairn doctor` explains. */
export async function countDatabase(memory: MemoryEngine): Promise<DatabaseCounts | undefined> {
  try {
    const stats = await (await memory.database()).read(loadStats);
    return {
      episodes: stats.episodes.total,
      concepts: stats.concepts.total,
      facts: stats.facts.active,
      open_conflicts: stats.conflicts.open,
      last_seq: stats.last_seq,
    };
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}
