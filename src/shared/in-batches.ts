import { yieldToEventLoop } from "./abort.ts";

/** SQLite takes a bounded number of parameters in one statement. */
const BATCH = 500;

/**
 * Runs `load` on slices of at most 500 keys and joins the results in order. Other work of this process gets a
 * turn between slices.
 */
export async function inBatches<Key, Row>(
  keys: readonly Key[],
  load: (slice: Key[]) => PromiseLike<Row[]>,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += BATCH) {
    if (start > 0) await yieldToEventLoop();
    rows.push(...(await load(keys.slice(start, start + BATCH))));
  }
  return rows;
}
