import { sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { countEpisodes } from "../episodes/episode.queries.ts";

export interface BatchQuery {
  readonly limit: number;
  readonly size: number;
}

export interface PendingBatch {
  readonly reason: "session" | "entity" | "time";
  readonly name: string;
  readonly episodes: readonly number[];
}

export interface PendingBatches {
  readonly total: number;
  readonly batches: readonly PendingBatch[];
}

const MAX_EXAMINED = 4;

interface PendingEpisode {
  readonly number: number;
  readonly session: string | null;
  readonly day: string;
}

/**
 * Groups the oldest pending episodes by session, then entity, then day. Each is in one batch; the
 * batch with the oldest episode comes first.
 */
export async function loadPendingBatches(tx: Tx, query: BatchQuery): Promise<PendingBatches> {
  const { limit, size } = query;
  const total = await countEpisodes(tx, { pending: true });
  const rows = await selectRows<[number: number, session: string | null, day: string]>(
    tx,
    sql`select id, session, substr(coalesce(occurred_at, created_at), 1, 10) from episodes
      where processed = 0 and deleted_at is null order by id limit ${limit * size * MAX_EXAMINED}`,
  );
  let left = rows.map(([number, session, day]): PendingEpisode => ({ number, session, day }));
  const batches: PendingBatch[] = [];
  const take = (
    reason: PendingBatch["reason"],
    groups: Map<string, PendingEpisode[]>,
    least: number,
  ) => {
    const used = new Set<number>();
    for (const [name, group] of groups) {
      const free = group.filter(({ number }) => !used.has(number));
      if (free.length < least) continue;
      for (let start = 0; start < free.length; start += size) {
        const episodes = free.slice(start, start + size).map(({ number }) => number);
        for (const number of episodes) used.add(number);
        batches.push({ reason, name, episodes });
      }
    }
    left = left.filter(({ number }) => !used.has(number));
  };
  take(
    "session",
    groupByName(left, ({ session }) => session),
    2,
  );
  take("entity", await groupByEntity(tx, left), 2);
  take(
    "time",
    groupByName(left, ({ day }) => day),
    1,
  );
  batches.sort((a, b) => (a.episodes[0] ?? 0) - (b.episodes[0] ?? 0));
  return { total, batches: batches.slice(0, limit) };
}

function groupByName(
  waiting: readonly PendingEpisode[],
  getName: (one: PendingEpisode) => string | null,
): Map<string, PendingEpisode[]> {
  const named = waiting.filter((one) => getName(one) !== null);
  return groupBy(named, (one) => getName(one) ?? "");
}

async function groupByEntity(
  tx: Tx,
  waiting: readonly PendingEpisode[],
): Promise<Map<string, PendingEpisode[]>> {
  if (waiting.length === 0) return new Map();
  const known = new Map(waiting.map((one) => [one.number, one]));
  const rows = await selectRows<[entity: string, episode: number]>(
    tx,
    sql`select entities.type || ':' || entities.name, mention.episode_id
      from episode_entities mention inner join entities on entities.id = mention.entity_id
      where mention.episode_id in (${numberSet(known.keys())})
      order by mention.entity_id, mention.episode_id`,
  );
  const groups = groupBy(rows, ([entity]) => entity);
  const sorted = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return new Map(
    sorted.map(([entity, found]) => [
      entity,
      found.flatMap(([, episode]) => known.get(episode) ?? []),
    ]),
  );
}
