import { type SQL, sql } from "drizzle-orm";
import { conceptSources, evidence } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import type { BoundValues } from "./define-filter.ts";
import { onEachKind } from "./narrowing.ts";

/** The record is the entity, or mentions it, or was made from an episode that does; passages mention none. */
export const mentions = onEachKind(({ episode, number }, kind) => {
  if (kind === "passage") return () => undefined;
  if (kind === "entity") return ({ one }) => sql`${entities.id} = ${one("number")}`;
  if (episode === undefined) {
    return (bound) => (bound.finds === "all" ? isAmong(number, bound) : wasMadeFrom(number, bound));
  }
  return (bound) =>
    bound.finds === "all"
      ? sql`${episode} in (${mentioning(bound)})`
      : sql`exists (select 1 from ${episodeEntities} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${bound.one("number")})`;
});

export const mentionedBy = {
  episode: mentioning,
  concept: (bound: BoundValues) => madeFrom(mentioning(bound)),
};

function mentioning({ one }: BoundValues): SQL {
  return sql`select ${episodeEntities.episodeId} as number from ${episodeEntities} where ${episodeEntities.entityId} = ${one("number")}`;
}

function madeFrom(said: SQL): SQL {
  return sql`select ${conceptSources.conceptId} as number from ${conceptSources} where ${conceptSources.episodeId} in (${said}) union select ${evidence.conceptId} from ${evidence} where ${evidence.episodeId} in (${said})`;
}

function isAmong(concept: SQL, { one }: BoundValues): SQL {
  const said = sql`select ${episodes.id} from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null`;
  return sql`${concept} in (${madeFrom(said)})`;
}

function wasMadeFrom(concept: SQL, bound: BoundValues): SQL {
  const { one } = bound;
  const says = (episode: SQL) =>
    sql`exists (select 1 from ${episodeEntities} inner join ${episodes} on ${episodes.id} = ${episodeEntities.episodeId} where ${episodeEntities.episodeId} = ${episode} and ${episodeEntities.entityId} = ${one("number")} and ${episodes.deletedAt} is null)`;
  return sql`(exists (select 1 from ${conceptSources} where ${conceptSources.conceptId} = ${concept} and ${says(sql`${conceptSources.episodeId}`)}) or exists (select 1 from ${evidence} where ${evidence.conceptId} = ${concept} and ${says(sql`${evidence.episodeId}`)}))`;
}
