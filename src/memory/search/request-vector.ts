import { randomInt } from "node:crypto";
import { sql } from "drizzle-orm";
import { insertRows, type Tx } from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { pendingVectors } from "./search.table.ts";

/** Requests vectors of the texts as they are now. A vector made from older text will not be accepted. */
export function requestVectors(
  tx: Tx,
  wanted: Readonly<Record<IndexedKind, readonly number[]>>,
): Promise<void> {
  const rows = INDEXED_KINDS.flatMap((kind) => rowsOf(kind, wanted[kind], false));
  return forEachBatch(rows, (slice) => insertRequests(tx, slice));
}

/** Requests better vectors, for which recall need not wait. A request that cannot wait stays urgent. */
export function requestRenewals(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<void> {
  return insertRenewals(tx, rowsOf(kind, numbers, true));
}

function rowsOf(kind: IndexedKind, numbers: readonly number[], canWait: boolean) {
  return numbers.map((itemId) => ({ kind, itemId, revision: randomInt(MAX_REVISION), canWait }));
}

const KEY = [pendingVectors.kind, pendingVectors.itemId];

const insertRequests = insertRows(pendingVectors, {
  onConflict: {
    target: KEY,
    set: { revision: sql`excluded.revision`, canWait: sql`excluded.can_wait` },
  },
});

const insertRenewals = insertRows(pendingVectors, {
  onConflict: { target: KEY, set: { revision: sql`excluded.revision` } },
});

/** Close to the largest integer that a JavaScript number can represent exactly. */
const MAX_REVISION = 2 ** 48 - 1;
