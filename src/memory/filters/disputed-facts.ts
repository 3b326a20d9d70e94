import { type SQL, sql } from "drizzle-orm";
import { conflicts } from "../conflicts/conflict.table.ts";
import { facts } from "../facts/fact.table.ts";

/**
 * SQL condition: the fact and another active fact of its cluster share an entity or the text and
 * have never had a conflict, open or resolved.
 */
export function hasCollision(): SQL {
  const isStated = (episode: SQL) =>
    sql`exists (select 1 from episodes said where said.id = ${episode} and said.deleted_at is null)`;
  return sql`${facts.status} = 'active' and ${isStated(sql`${facts.episodeId}`)} and exists (
    select 1 from facts other
    where other.cluster_id = ${facts.clusterId} and other.id <> ${facts.id}
      and other.status = 'active' and ${isStated(sql`other.episode_id`)}
      and (other.statement_hash = ${facts.statementHash} or exists (
        select 1 from episode_entities theirs inner join episode_entities mine
          on mine.entity_id = theirs.entity_id
        where theirs.episode_id = other.episode_id and mine.episode_id = ${facts.episodeId}))
      and not exists (select 1 from conflicts settled
        where (settled.fact_a = ${facts.id} and settled.fact_b = other.id)
          or (settled.fact_a = other.id and settled.fact_b = ${facts.id})))`;
}

export function isInOpenConflict(): SQL {
  const side = (column: SQL) => sql`${facts.id} in (select ${column} from ${conflicts}
    where ${conflicts.status} = 'open' and not exists (
      select 1 from facts side inner join episodes said on said.id = side.episode_id
      where side.id in (${conflicts.factA}, ${conflicts.factB}) and said.deleted_at is not null))`;
  return sql`(${side(sql`${conflicts.factA}`)} or ${side(sql`${conflicts.factB}`)})`;
}
