import { asc, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { episodes } from "../episodes/episode.table.ts";
import { passages } from "../sources/source.table.ts";

const SLICE = 500;

export async function activeNumbers(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const table = itemTable(kind);
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(isNull(table.deletedAt))
    .orderBy(asc(table.id));
  return rows.map((row) => row.id);
}

const TABLES = { episode: episodes, concept: concepts, passage: passages } as const;

export function itemTable(kind: IndexedKind) {
  return TABLES[kind];
}

const IDS: Readonly<Record<IndexedKind, (column: SQL) => SQL>> = {
  episode: (column) => sql`'ep:' || ${column}`,
  concept: (column) => sql`(select public_id from concepts where concepts.id = ${column})`,
  passage: (column) => sql`'passage:' || ${column}`,
};

export function itemId(kind: IndexedKind, column: SQL): SQL {
  return IDS[kind](column);
}

export async function inSlices<T>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await yieldToEventLoop();
    await work(items.slice(start, start + SLICE));
  }
}

export function publicName(kind: IndexedKind, number: number): string {
  return `${NAMES[kind]}${number}`;
}

const NAMES = { episode: "ep:", concept: "concept number ", passage: "passage:" } as const;
