import { asc, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { episodes } from "../episodes/episode.table.ts";
import { passages } from "../sources/source.table.ts";

const ITEMS_PER_SLICE = 500;

export async function activeNumbers(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const table = itemTable(kind);
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(isNull(table.deletedAt))
    .orderBy(asc(table.id));
  return rows.map((row) => row.id);
}

const ITEM_TABLES = { episode: episodes, concept: concepts, passage: passages } as const;

export function itemTable(kind: IndexedKind) {
  return ITEM_TABLES[kind];
}

const ID_EXPRESSIONS: Readonly<Record<IndexedKind, (column: SQL) => SQL>> = {
  episode: (column) => sql`'ep:' || ${column}`,
  concept: (column) => sql`(select public_id from concepts where concepts.id = ${column})`,
  passage: (column) => sql`'passage:' || ${column}`,
};

export function itemId(kind: IndexedKind, column: SQL): SQL {
  return ID_EXPRESSIONS[kind](column);
}

export async function loadInSlices<T>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_SLICE) {
    if (start > 0) await yieldToEventLoop();
    await work(items.slice(start, start + ITEMS_PER_SLICE));
  }
}

export function publicName(kind: IndexedKind, number: number): string {
  return `${ID_PREFIXES_BY_KIND[kind]}${number}`;
}

const ID_PREFIXES_BY_KIND = {
  episode: "ep:",
  concept: "concept number ",
  passage: "passage:",
} as const;
