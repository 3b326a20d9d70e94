import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { groupBy } from "../../shared/collections.ts";
import { concepts } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { kindOfId } from "../input/item-ids.ts";
import { passages } from "../sources/source.table.ts";

const MAX_CHARACTERS = 300;

export interface ItemText {
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

export async function loadItemTexts(
  tx: Tx,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ItemText>> {
  const requested = groupBy(ids, kindOfId);
  const rows = [
    ...(await loadInBatches(requested.get("episode") ?? [], (slice) =>
      tx
        .select({
          id: sql<string>`'ep:' || ${episodes.id}`,
          type: episodes.episodeType,
          text: takeBeginning(sql`${episodes.content}`),
        })
        .from(episodes)
        .where(inArray(episodes.id, slice.map(parseIdNumber))),
    )),
    ...(await loadInBatches(requested.get("fact") ?? [], (slice) =>
      tx
        .select({
          id: sql<string>`'fact:' || ${facts.id}`,
          type: sql<string>`'fact'`,
          text: takeBeginning(sql`${episodes.content}`),
        })
        .from(facts)
        .innerJoin(episodes, eq(episodes.id, facts.episodeId))
        .where(inArray(facts.id, slice.map(parseIdNumber))),
    )),
    ...(await loadInBatches(requested.get("passage") ?? [], (slice) =>
      tx
        .select({
          id: sql<string>`'passage:' || ${passages.id}`,
          type: sql<string>`'passage'`,
          text: takeBeginning(sql`${passages.content}`),
        })
        .from(passages)
        .where(inArray(passages.id, slice.map(parseIdNumber))),
    )),
    ...(await loadInBatches(requested.get("concept") ?? [], (slice) =>
      tx
        .select({
          id: concepts.publicId,
          type: concepts.type,
          text: takeBeginning(sql`${concepts.title}`),
        })
        .from(concepts)
        .where(inArray(concepts.publicId, slice)),
    )),
    ...(await loadInBatches(requested.get("conflict") ?? [], (slice) =>
      tx
        .select({
          id: sql<string>`'conflict:' || ${conflicts.id}`,
          type: sql<string>`'conflict'`,
          text: takeBeginning(sql`coalesce(${conflicts.description}, '')`),
        })
        .from(conflicts)
        .where(inArray(conflicts.id, slice.map(parseIdNumber))),
    )),
    ...(await loadInBatches(requested.get("entity") ?? [], (slice) =>
      tx
        .select({
          id: sql<string>`${entities.type} || ':' || ${entities.name}`,
          type: entities.type,
          text: takeBeginning(sql`${entities.name}`),
        })
        .from(entities)
        .where(inArray(sql`${entities.type} || ':' || ${entities.name}`, slice)),
    )),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}

function takeBeginning(text: SQL) {
  return sql<string>`substr(${text}, 1, ${MAX_CHARACTERS})`;
}

function parseIdNumber(id: string): number {
  return Number(id.slice(id.indexOf(":") + 1));
}
