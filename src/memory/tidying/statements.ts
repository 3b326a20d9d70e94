import { sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodeEntities } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { heldEpisodes } from "../learned/held-episodes.ts";
import type { Statement } from "./said-twice.ts";

/** What is said to be so, or is to be done; observations tell what happened. */
const STATED = ["fact", "decision", "preference"];
/** The newest; what was said before is looked through no more. */
const MOST = 2_000;

/** What holds and nobody disputes, the newest first. */
export async function undisputedStatements(tx: Tx): Promise<Statement[]> {
  const held = await heldEpisodes(tx, {
    types: STATED,
    where: sql`not exists (select 1 from ${conflicts} where ${conflicts.status} = 'open'
      and (${conflicts.factA} = ${facts.id} or ${conflicts.factB} = ${facts.id}))`,
    most: MOST,
  });
  const entities = await entitiesOf(
    tx,
    held.map(({ number }) => number),
  );
  return held.map((one) => ({ ...one, entities: entities.get(one.number) ?? [] }));
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
