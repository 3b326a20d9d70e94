import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNull,
  min,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId } from "../input/item-ids.ts";
import { textOfItems } from "../listing/text-of-items.ts";
import type { ItemUse } from "./recall-log.schema.ts";
import { recalledItems, recalls } from "./recall-log.table.ts";

export const USE_LISTS = ["most", "never", "cut", "contradicted"] as const;

export type UseList = (typeof USE_LISTS)[number];

type Counted = Omit<ItemUse, "type" | "text">;

const given = sql<number>`sum(1 - ${recalledItems.isCut})`;
const cut = sql<number>`sum(${recalledItems.isCut})`;
const lastAt = sql<string | null>`max(case when ${recalledItems.isCut} = 0 then ${recalls.at} end)`;

/** What stands out of the log, the most telling first. */
export async function listUse(tx: Tx, list: UseList, limit: number): Promise<ItemUse[]> {
  const found = await LISTS[list](tx, limit);
  return withTexts(tx, found);
}

/** How many recalls are kept, and since when. */
export async function logBounds(tx: Tx): Promise<{ recalls: number; since: string | null }> {
  const [row] = await tx.select({ recalls: count(), since: min(recalls.at) }).from(recalls);
  return { recalls: Number(row?.recalls ?? 0), since: row?.since ?? null };
}

/** The same of these items, in their order. */
export async function countUse(tx: Tx, ids: readonly string[]): Promise<ItemUse[]> {
  const rows = await counted(tx, inArray(recalledItems.item, [...ids]));
  const known = new Map(rows.map((row) => [row.id, row]));
  return withTexts(
    tx,
    ids.map((id) => known.get(id) ?? { id, given: 0, cut: 0, last_at: null }),
  );
}

async function withTexts(tx: Tx, found: readonly Counted[]): Promise<ItemUse[]> {
  const texts = await textOfItems(
    tx,
    found.map(({ id }) => id),
  );
  return found.map((use) => ({
    ...use,
    type: texts.get(use.id)?.type ?? null,
    text: texts.get(use.id)?.text ?? null,
  }));
}

function uses(tx: Tx, where: SQL | undefined) {
  return tx
    .select({ id: recalledItems.item, given, cut, last_at: lastAt })
    .from(recalledItems)
    .innerJoin(recalls, eq(recalls.id, recalledItems.recallId))
    .where(where)
    .groupBy(recalledItems.item);
}

async function counted(tx: Tx, where: SQL | undefined): Promise<Counted[]> {
  return (await uses(tx, where)).map(plain);
}

/** Sums are of another type on some engines. */
function plain(row: Counted): Counted {
  return { ...row, given: Number(row.given), cut: Number(row.cut) };
}

const LISTS: Readonly<Record<UseList, (tx: Tx, limit: number) => Promise<Counted[]>>> = {
  async most(tx, limit) {
    const rows = await uses(tx, undefined)
      .having(sql`${given} > 0`)
      .orderBy(desc(given), desc(lastAt), asc(recalledItems.item))
      .limit(limit);
    return rows.map(plain);
  },
  async cut(tx, limit) {
    const rows = await uses(tx, undefined)
      .having(sql`${given} = 0`)
      .orderBy(desc(cut), asc(recalledItems.item))
      .limit(limit);
    return rows.map(plain);
  },
  /** The oldest first: what is new has had no time to be found. */
  async never(tx, limit) {
    const name = sql`'ep:' || cast(${episodes.id} as text)`;
    const lone = await tx
      .select({ number: episodes.id, at: episodes.createdAt })
      .from(episodes)
      .where(and(isNull(episodes.deletedAt), isNowhere(name)))
      .orderBy(asc(episodes.createdAt), asc(episodes.id))
      .limit(limit);
    const made = await tx
      .select({ id: concepts.publicId, at: concepts.createdAt })
      .from(concepts)
      .where(
        and(
          isNull(concepts.deletedAt),
          // Its facts are found, or not.
          ne(concepts.type, FACT_CLUSTER),
          isNowhere(sql`${concepts.publicId}`),
        ),
      )
      .orderBy(asc(concepts.createdAt), asc(concepts.id))
      .limit(limit);
    return [...lone.map(({ number, at }) => ({ id: episodeId(number), at })), ...made]
      .sort((a, b) => a.at.localeCompare(b.at))
      .slice(0, limit)
      .map(({ id }) => ({ id, given: 0, cut: 0, last_at: null }));
  },
  async contradicted(tx, limit) {
    const times = count();
    const rows = await tx
      .select({ episode: facts.episodeId, times })
      .from(conflicts)
      .innerJoin(facts, or(eq(facts.id, conflicts.factA), eq(facts.id, conflicts.factB)))
      .innerJoin(episodes, eq(episodes.id, facts.episodeId))
      .where(isNull(episodes.deletedAt))
      .groupBy(facts.episodeId)
      .orderBy(desc(times), asc(facts.episodeId))
      .limit(limit);
    const ids = rows.map(({ episode }) => episodeId(episode));
    const known = new Map(
      (await counted(tx, inArray(recalledItems.item, ids))).map((row) => [row.id, row]),
    );
    return rows.map(({ episode, times: conflicted }) => {
      const id = episodeId(episode);
      const use = known.get(id) ?? { id, given: 0, cut: 0, last_at: null };
      return { ...use, conflicts: Number(conflicted) };
    });
  },
};

function isNowhere(item: SQL): SQL {
  return sql`not exists (select 1 from ${recalledItems} where ${recalledItems.item} = ${item})`;
}
