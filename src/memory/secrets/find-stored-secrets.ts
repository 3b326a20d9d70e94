import { asc, gt } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { concepts } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeId } from "../input/item-ids.ts";
import { findSecrets } from "./find-secrets.ts";

/** A secret that is stored already. Its text is not repeated. */
export interface StoredSecret {
  /** Id of the episode or concept, for `purge`. */
  readonly id: string;
  readonly field: string;
  readonly kind: string;
}

const ROWS_AT_ONCE = 500;

/** Keys and tokens in what episodes and concepts say, deleted ones included. */
export async function findStoredSecrets(tx: Tx, signal?: AbortSignal): Promise<StoredSecret[]> {
  const found: StoredSecret[] = [];
  const look = async (id: string, row: Readonly<Record<string, unknown>>) => {
    for (const [field, value] of Object.entries(row)) {
      if (value === null || typeof value === "number") continue;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      for (const { kind } of await findSecrets(text)) found.push({ id, field, kind });
    }
  };
  for (let last = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await tx
      .select()
      .from(episodes)
      .where(gt(episodes.id, last))
      .orderBy(asc(episodes.id))
      .limit(ROWS_AT_ONCE);
    for (const { id, content, metadata, sourceRef: source_ref } of rows) {
      await look(episodeId(id), { content, metadata, source_ref });
    }
    if (rows.length < ROWS_AT_ONCE) break;
    last = rows.at(-1)?.id ?? last;
  }
  for (let last = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await tx
      .select()
      .from(concepts)
      .where(gt(concepts.id, last))
      .orderBy(asc(concepts.id))
      .limit(ROWS_AT_ONCE);
    for (const { publicId, title, summary, tags } of rows) {
      await look(publicId, { title, summary, tags });
    }
    if (rows.length < ROWS_AT_ONCE) break;
    last = rows.at(-1)?.id ?? last;
  }
  return found;
}
