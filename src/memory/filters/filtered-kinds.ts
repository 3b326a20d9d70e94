import { type SQL, sql } from "drizzle-orm";
import { idPrefix, type NumberedKind } from "../../shared/ids.ts";
import { concepts } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { entities } from "../entities/entity.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { changes } from "../events/change.table.ts";
import { events, type SUBJECT_TYPES } from "../events/event.table.ts";
import { facts } from "../facts/fact.table.ts";
import { conceptLabels, episodeLabels } from "../labels/label.table.ts";
import { proposals } from "../proposals/proposal.table.ts";
import { passages, sources } from "../sources/source.table.ts";

export type RecordKind = "episode" | "fact" | "concept" | "entity" | "passage";

export type FeedKind = "change" | "event";

/**
 * Records that filters apply to. A conflict matches by its time or one of its facts; a change or
 * event by time, author, session or subject; a source by time and session; a proposal by its last
 * mention.
 */
export type FilteredKind = RecordKind | FeedKind | "conflict" | "source" | "proposal";

export interface ListedColumns {
  readonly from: SQL;
  readonly number: SQL;
  readonly active: SQL;
  readonly at: SQL;
}

export interface KindColumns extends ListedColumns {
  readonly updated: SQL;
  readonly written: SQL;
  readonly type: SQL;
  readonly author: SQL | undefined;
  readonly session: SQL | undefined;
  readonly topic: SQL | undefined;
  readonly processed: SQL | undefined;
  /** Number of the episode that supplies its entities. */
  readonly episode: SQL | undefined;
  /** Number of the fact, or a column of `facts` that references the record. */
  readonly factColumn: SQL | undefined;
  readonly labels: LabelsOfKind | undefined;
}

export interface LabelsOfKind {
  readonly table: SQL;
  /** The foreign key column to the record. */
  readonly owner: SQL;
  readonly number: SQL;
}

const isActiveEpisode = sql`${episodes.deletedAt} is null`;

const ofEpisode = {
  written: sql`${episodes.createdAt}`,
  active: isActiveEpisode,
  author: sql`${episodes.assertedBy}`,
  session: sql`${episodes.session}`,
  topic: sql`${episodes.topicId}`,
  processed: sql`${episodes.processed}`,
  episode: sql`${episodes.id}`,
  labels: {
    table: sql`${episodeLabels}`,
    owner: sql`${episodeLabels.episodeId}`,
    number: sql`${episodes.id}`,
  },
};

const NO_EPISODE_COLUMNS = {
  author: undefined,
  session: undefined,
  processed: undefined,
  episode: undefined,
};

export const FILTERED_TABLES = {
  episode: {
    ...ofEpisode,
    from: sql`${episodes}`,
    number: sql`${episodes.id}`,
    at: sql`coalesce(${episodes.occurredAt}, ${episodes.createdAt})`,
    updated: sql`${episodes.updatedAt}`,
    type: sql`${episodes.episodeType}`,
    factColumn: sql`${facts.episodeId}`,
  },
  fact: {
    ...ofEpisode,
    from: sql`${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId}`,
    number: sql`${facts.id}`,
    at: sql`${facts.validFrom}`,
    updated: sql`coalesce(${facts.validTo}, ${episodes.updatedAt})`,
    type: sql`'fact'`,
    factColumn: sql`${facts.id}`,
  },
  concept: {
    ...NO_EPISODE_COLUMNS,
    from: sql`${concepts}`,
    number: sql`${concepts.id}`,
    active: sql`${concepts.deletedAt} is null`,
    at: sql`${concepts.createdAt}`,
    updated: sql`${concepts.updatedAt}`,
    written: sql`${concepts.createdAt}`,
    type: sql`${concepts.type}`,
    topic: sql`${concepts.topicId}`,
    factColumn: sql`${facts.clusterId}`,
    labels: {
      table: sql`${conceptLabels}`,
      owner: sql`${conceptLabels.conceptId}`,
      number: sql`${concepts.id}`,
    },
  },
  entity: {
    ...NO_EPISODE_COLUMNS,
    from: sql`${entities}`,
    number: sql`${entities.id}`,
    active: sql`true`,
    at: sql`${entities.createdAt}`,
    updated: sql`${entities.createdAt}`,
    written: sql`${entities.createdAt}`,
    type: sql`${entities.type}`,
    topic: undefined,
    factColumn: undefined,
    labels: undefined,
  },
  passage: {
    ...NO_EPISODE_COLUMNS,
    from: sql`${passages}`,
    number: sql`${passages.id}`,
    active: sql`${passages.deletedAt} is null`,
    at: sql`${passages.occurredAt}`,
    updated: sql`${passages.createdAt}`,
    written: sql`${passages.createdAt}`,
    type: sql`${passages.role}`,
    author: sql`${passages.assertedBy}`,
    session: sql`(select ${sources.key} from ${sources} where ${sources.id} = ${passages.sourceId})`,
    topic: undefined,
    factColumn: undefined,
    labels: undefined,
  },
  conflict: {
    from: sql`${conflicts}`,
    number: sql`${conflicts.id}`,
    active: sql`not exists (select 1 from ${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId} where ${facts.id} in (${conflicts.factA}, ${conflicts.factB}) and ${episodes.deletedAt} is not null)`,
    at: sql`${conflicts.createdAt}`,
  },
  change: {
    from: sql`${changes}`,
    number: sql`${changes.id}`,
    active: sql`true`,
    at: sql`${changes.ts}`,
    author: sql`${changes.author}`,
    session: sql`${changes.session}`,
  },
  event: {
    from: sql`${events}`,
    number: sql`${events.seq}`,
    active: sql`true`,
    at: sql`${events.ts}`,
    author: ofChange(sql`${changes.author}`),
    session: ofChange(sql`${changes.session}`),
  },
  source: {
    from: sql`${sources}`,
    number: sql`${sources.id}`,
    active: sql`${sources.deletedAt} is null`,
    at: sql`${sources.updatedAt}`,
    session: sql`${sources.key}`,
  },
  proposal: {
    from: sql`${proposals}`,
    number: sql`${proposals.id}`,
    active: sql`true`,
    at: sql`${proposals.seenAt}`,
  },
} satisfies Readonly<
  Record<RecordKind, KindColumns> &
    Record<Exclude<FilteredKind, RecordKind>, ListedColumns & Partial<KindColumns>>
>;

/** Reads a column of the event's change; null for events recorded before changes existed. */
function ofChange(column: SQL): SQL {
  return sql`(select ${column} from ${changes} where ${changes.id} = ${events.changeId})`;
}

type SubjectType = (typeof SUBJECT_TYPES)[number];

/**
 * Event subjects that filters apply to. Excludes topics, because records belong to them, and
 * passages, whose only event is the purge.
 */
export type SubjectKind = Exclude<Extract<SubjectType, FilteredKind>, "passage">;

const ENTITY_ID = sql`${entities.type} || ':' || ${entities.name}`;

const SUBJECT_LOOKUPS: Readonly<Record<SubjectKind, (condition: SQL) => SQL>> = {
  episode: byNumber("episode"),
  fact: byNumber("fact"),
  conflict: byNumber("conflict"),
  source: byNumber("source"),
  proposal: byNumber("proposal"),
  concept: (condition) =>
    sql`exists (select 1 from ${concepts} where ${concepts.publicId} = ${events.subjectId} and ${condition})`,
  entity: (condition) =>
    sql`${events.subjectId} in (select ${ENTITY_ID} from ${entities} where ${condition})`,
};

export const SUBJECT_KINDS = Object.keys(SUBJECT_LOOKUPS) as SubjectKind[];

/** SQL condition on events with such a subject: the record exists and meets the condition. */
export function whereSubject(kind: SubjectKind, condition: SQL): SQL {
  return SUBJECT_LOOKUPS[kind](condition);
}

/** Subquery of the ids under which events reference these records. */
export function idsOfSubjects(kind: SubjectKind, numbers: SQL): SQL {
  if (kind === "concept") {
    return sql`select ${concepts.publicId} from ${concepts} where ${concepts.id} in (${numbers})`;
  }
  if (kind === "entity") {
    return sql`select ${ENTITY_ID} from ${entities} where ${entities.id} in (${numbers})`;
  }
  const { from, number } = FILTERED_TABLES[kind];
  const before = sql.raw(`'${idPrefix(kind)}'`);
  return sql`select ${before} || ${number} from ${from} where ${number} in (${numbers})`;
}

function byNumber(kind: NumberedKind) {
  const { from, number } = FILTERED_TABLES[kind];
  const digits = sql.raw(String(idPrefix(kind).length + 1));
  return (condition: SQL) =>
    sql`exists (select 1 from ${from} where ${number} = cast(substr(${events.subjectId}, ${digits}) as bigint) and ${condition})`;
}
