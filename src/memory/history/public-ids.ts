import { inArray } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { concepts } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { rowChanges } from "../events/change.table.ts";
import {
  conflictId,
  episodeId,
  factId,
  passageId,
  proposalId,
  sourceId,
} from "../input/item-ids.ts";

type StoredKey = string | number;

export interface RowReference {
  readonly table: string;
  readonly key: StoredKey;
}

/** Maps row numbers to public ids, including rows that no longer exist. */
export class PublicIds {
  readonly #tx: Tx;
  readonly #known = new Map<string, string>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async load(requested: Iterable<RowReference>): Promise<void> {
    for (const table of ["concepts", "entities"] as const) {
      const numbers = new Set<number>();
      for (const one of requested) {
        if (one.table === table && !this.#known.has(rowKey(table, one.key)))
          numbers.add(Number(one.key));
      }
      for (const { number, id } of await this.#present(table, [...numbers])) {
        this.#known.set(rowKey(table, number), id);
        numbers.delete(number);
      }
      await this.#loadGone(table, [...numbers]);
    }
  }

  of(table: string, key: StoredKey): string {
    const number = Number(key);
    if (table === "episodes") return episodeId(number);
    if (table === "facts") return factId(number);
    if (table === "conflicts") return conflictId(number);
    if (table === "sources") return sourceId(number);
    if (table === "passages") return passageId(number);
    if (table === "proposals") return proposalId(number);
    if (table === "topics") return String(key);
    return this.#known.get(rowKey(table, key)) ?? `${table}:${key}`;
  }

  #present(table: "concepts" | "entities", numbers: number[]) {
    return loadInBatches(numbers, async (slice) => {
      if (table === "concepts") {
        return this.#tx
          .select({ number: concepts.id, id: concepts.publicId })
          .from(concepts)
          .where(inArray(concepts.id, slice));
      }
      const rows = await this.#tx.select().from(entities).where(inArray(entities.id, slice));
      return rows.map(({ id: number, type, name }) => ({ number, id: `${type}:${name}` }));
    });
  }

  /** Reads the ids of undone rows from their logged deletion. */
  async #loadGone(table: "concepts" | "entities", numbers: number[]): Promise<void> {
    const rows = await loadInBatches(numbers, (slice) =>
      this.#tx
        .select({ key: rowChanges.rowKey, before: rowChanges.before, table: rowChanges.tableName })
        .from(rowChanges)
        .where(
          inArray(
            rowChanges.rowKey,
            slice.map((number) => JSON.stringify([number])),
          ),
        ),
    );
    for (const row of rows) {
      if (row.table !== table || row.before === null) continue;
      const image = JSON.parse(row.before) as Record<string, string>;
      const id = table === "concepts" ? image.public_id : formatEntity(image);
      const [number] = JSON.parse(row.key) as [number];
      if (id !== undefined) this.#known.set(rowKey(table, number), id);
    }
  }
}

function formatEntity({ type, name }: Record<string, string>): string | undefined {
  return type === undefined || name === undefined ? undefined : `${type}:${name}`;
}

function rowKey(table: string, key: StoredKey): string {
  return `${table} ${key}`;
}
