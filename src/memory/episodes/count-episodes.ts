import { count } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadTotals, sumOf, sumTotals } from "../totals.ts";
import { type EpisodeFilter, episodeCondition } from "./episode.queries.ts";
import { episodes } from "./episode.table.ts";

/** Number of episodes pass: of types, states and topics by totals, else one by one. */
export async function countEpisodes(tx: Tx, filter: EpisodeFilter): Promise<number> {
  return (await countByTotals(tx, filter)) ?? countOneByOne(tx, filter);
}

async function countByTotals(tx: Tx, filter: EpisodeFilter): Promise<number | undefined> {
  const { type, passes, topicId, deleted = false, pending = false } = filter;
  if (passes !== undefined) return undefined;
  if (topicId !== undefined) {
    if (type !== undefined || deleted || pending) return undefined;
    return sumTotals(tx, { kinds: ["episodes_of_topic"], names: [topicId] });
  }
  if (deleted && pending) return undefined;
  const names = type === undefined ? undefined : [type];
  const states = deleted ? ["deleted"] : pending ? ["pending"] : ["pending", "processed"];
  const totals = await loadTotals(tx, { kinds: ["episodes"], names });
  return sumOf(totals.filter(({ part }) => states.includes(part)));
}

async function countOneByOne(tx: Tx, filter: EpisodeFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(episodes).where(episodeCondition(filter));
  return row?.total ?? 0;
}
