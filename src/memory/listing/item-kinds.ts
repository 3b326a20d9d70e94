import { type SQL, sql } from "drizzle-orm";
import { concepts } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";

/** In the order in which items of the same moment stand. */
export const ITEM_KINDS = ["episode", "fact", "concept", "entity"] as const;

export type ItemKind = (typeof ITEM_KINDS)[number];

/** How the items of a kind are found: expressions over its table. */
export interface ListedKind {
  readonly from: SQL;
  readonly number: SQL;
  readonly active: SQL;
  /** When it happened, began to hold, or was first written. */
  readonly at: SQL;
  readonly updated: SQL;
  readonly type: SQL;
  /** Absent: items of the kind have none. */
  readonly author?: SQL;
  readonly session?: SQL;
  readonly topic?: SQL;
  /** Number of the episode that mentions entities and carries labels for it. */
  readonly episode?: SQL;
}

const factJoin = sql`${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId}`;
const isActiveEpisode = sql`${episodes.deletedAt} is null`;
const ofEpisode = {
  author: sql`${episodes.assertedBy}`,
  session: sql`${episodes.session}`,
  topic: sql`${episodes.topicId}`,
  episode: sql`${episodes.id}`,
};

export const LISTED: Readonly<Record<ItemKind, ListedKind>> = {
  episode: {
    from: sql`${episodes}`,
    number: sql`${episodes.id}`,
    active: isActiveEpisode,
    at: sql`coalesce(${episodes.occurredAt}, ${episodes.createdAt})`,
    updated: sql`${episodes.updatedAt}`,
    type: sql`${episodes.episodeType}`,
    ...ofEpisode,
  },
  fact: {
    from: factJoin,
    number: sql`${facts.id}`,
    active: isActiveEpisode,
    at: sql`${facts.validFrom}`,
    updated: sql`coalesce(${facts.validTo}, ${episodes.updatedAt})`,
    type: sql`'fact'`,
    ...ofEpisode,
  },
  concept: {
    from: sql`${concepts}`,
    number: sql`${concepts.id}`,
    active: sql`${concepts.deletedAt} is null`,
    at: sql`${concepts.createdAt}`,
    updated: sql`${concepts.updatedAt}`,
    type: sql`${concepts.type}`,
    topic: sql`${concepts.topicId}`,
  },
  entity: {
    from: sql`${entities}`,
    number: sql`${entities.id}`,
    active: sql`true`,
    at: sql`${entities.createdAt}`,
    updated: sql`${entities.createdAt}`,
    type: sql`${entities.type}`,
  },
};
