import { sql } from "drizzle-orm";
import { rowsOf } from "../database/index.ts";
import { isCairnError } from "../kernel/errors.ts";
import type { MemoryEngine } from "./open-memory.ts";

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
    const [row] = await (await memory.database()).read((tx) =>
      rowsOf<[number, number, number, number, number]>(
        tx,
        sql`select (select count(*) from episodes where deleted_at is null),
          (select count(*) from concepts where deleted_at is null),
          (select count(*) from facts where status = 'active'),
          (select count(*) from conflicts where status = 'open'),
          (select coalesce(max(seq), 0) from events)`,
      ),
    );
    if (row === undefined) return undefined;
    const [episodes, concepts, facts, openConflicts, lastSeq] = row;
    return { episodes, concepts, facts, open_conflicts: openConflicts, last_seq: lastSeq };
  } catch (error) {
    if (isCairnError(error)) return undefined;
    throw error;
  }
}
