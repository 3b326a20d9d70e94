import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import type { Statement } from "./said-twice.ts";

/** What is said to be so, or is to be done; observations tell what happened. */
const STATED = ["fact", "decision", "preference"];
/** The newest; what was said before is looked through no more. */
const MOST = 2_000;

/** What holds and nobody disputes, the newest first. */
export async function undisputedStatements(tx: Tx): Promise<Statement[]> {
  const rows = await tx
    .select({ episode: episodes })
    .from(episodes)
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(
      and(
        isNull(episodes.deletedAt),
        inArray(episodes.episodeType, STATED),
        or(isNull(facts.id), eq(facts.status, "active")),
        sql`not exists (select 1 from ${conflicts} where ${conflicts.status} = 'open'
          and (${conflicts.factA} = ${facts.id} or ${conflicts.factB} = ${facts.id}))`,
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(MOST);
  const entities = await entitiesOf(
    tx,
    rows.map(({ episode }) => episode.id),
  );
  return rows.map(({ episode }) => ({
    number: episode.id,
    content: episode.content,
    type: episode.episodeType,
    metadata: episode.metadata,
    at: episode.occurredAt ?? episode.createdAt,
    entities: entities.get(episode.id) ?? [],
  }));
}

async function entitiesOf(tx: Tx, numbers: readonly number[]): Promise<Map<number, number[]>> {
  const [first] = numbers;
  const last = numbers.at(-1);
  const mentioned = new Map<number, number[]>();
  if (first === undefined || last === undefined) return mentioned;
  const rows = await tx
    .select({ episode: episodeEntities.episodeId, entity: episodeEntities.entityId })
    .from(episodeEntities)
    .where(sql`${episodeEntities.episodeId} between ${last} and ${first}`);
  for (const { episode, entity } of rows) {
    mentioned.set(episode, [...(mentioned.get(episode) ?? []), entity]);
  }
  return mentioned;
}
