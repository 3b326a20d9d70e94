import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { activeNumbers, inSlices } from "./indexed-items.ts";
import { loadSearchable } from "./load-searchable.ts";
import { postingsIndex } from "./postgres/postings-index.ts";
import { fts5Index } from "./sqlite/fts5-index.ts";
import type { TextIndex } from "./text-query.ts";

const TEXT_INDEXES = { sqlite: fts5Index, postgres: postingsIndex } as const;

/** The text index of this transaction's engine. */
export function textIndexOf(tx: Tx): TextIndex {
  return TEXT_INDEXES[tx.engine];
}

export async function rebuildTextIndex(tx: Tx, kind: IndexedKind): Promise<void> {
  const index = textIndexOf(tx);
  await index.makeAnew(tx, kind);
  await inSlices(await activeNumbers(tx, kind), async (slice) => {
    await index.add(tx, kind, await loadSearchable(tx, kind, slice));
  });
}
