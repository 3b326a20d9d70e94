import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../database/index.ts";
import { parseMoment } from "../../shared/time.ts";
import { concepts } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import type { FilterContext } from "../filters/define-filter.ts";
import { passing } from "../filters/filter-condition.ts";
import { FILTERED } from "../filters/filtered-kinds.ts";
import type { GivenFilter } from "../filters/resolve-filter.ts";
import { episodeLabels } from "../labels/label.table.ts";
import { HOLD } from "../labels/legal-hold.ts";
import { isNotPurged } from "../purge/find-expired.ts";
import type { HeldItem } from "../purge/person/find-traces.ts";
import { sources } from "../sources/source.table.ts";
import type { RetainedKind } from "./retention-rule.ts";

/** What is to go, and what a rule would take but must not. */
export interface RetainedItems {
  readonly ids: readonly string[];
  readonly held: readonly HeldItem[];
  /** Clusters that still have facts: they go after these. */
  readonly inUse: readonly string[];
}

export interface RetentionQuery {
  readonly filter: GivenFilter;
  readonly olderThan: string;
  /** What is deleted already goes, too. */
  readonly purges: boolean;
}

/** The items of a kind that a rule is about, oldest first. */
export async function findRetained(
  context: FilterContext,
  kind: RetainedKind,
  query: RetentionQuery,
): Promise<RetainedItems> {
  const passes = await passing(kind, context, { ...query.filter, until: query.olderThan });
  if (passes === undefined) return { ids: [], held: [], inUse: [] };
  const { id, lastChange, hold, isInUse } = KINDS[kind];
  const isThere = query.purges ? isNotPurged(id) : FILTERED[kind].active;
  const cutoff = parseMoment(query.olderThan, "end", new Date(context.now));
  const isOld = lastChange === undefined ? sql`true` : sql`${lastChange} <= ${cutoff}`;
  const { from, at, number } = FILTERED[kind];
  const rows = await rowsOf<[id: string, hold: string | null, inUse: number]>(
    context.tx,
    sql`select ${id}, ${hold}, case when ${isInUse ?? sql`false`} then 1 else 0 end from ${from}
      where ${passes} and ${isThere} and ${isOld} order by ${at}, ${number}`,
  );
  const free = rows.filter(([, hold]) => hold === null);
  return {
    ids: free.filter(([, , inUse]) => inUse === 0).map(([id]) => id),
    inUse: free.filter(([, , inUse]) => inUse === 1).map(([id]) => id),
    held: rows.flatMap(([id, hold]) => (hold === null ? [] : [{ id, hold }])),
  };
}

interface KindOfRule {
  readonly id: SQL;
  /** What is still worked on is not old, whenever it was begun. */
  readonly lastChange?: SQL;
  /** The name of the legal hold under which it is, or null. */
  readonly hold: SQL;
  readonly isInUse?: SQL;
}

const holdOf = ({ table, owner, number }: { table: SQL; owner: SQL; number: SQL }): SQL =>
  sql`(select min(held.value) from ${table} held where held.${owner} = ${number} and held.key = ${HOLD})`;

const KINDS: Readonly<Record<RetainedKind, KindOfRule>> = {
  episode: {
    id: sql`'ep:' || cast(${episodes.id} as text)`,
    hold: holdOf({ ...FILTERED.episode.labels, owner: sql.raw("episode_id") }),
  },
  concept: {
    id: sql`${concepts.publicId}`,
    lastChange: FILTERED.concept.updated,
    hold: holdOf({ ...FILTERED.concept.labels, owner: sql.raw("concept_id") }),
    isInUse: sql`exists (select 1 from ${FILTERED.fact.from} where ${facts.clusterId} = ${concepts.id} and ${facts.status} = 'active' and ${FILTERED.fact.active})`,
  },
  // A source goes on being read under its session: what is held there stays with what was said around it.
  source: {
    id: sql`'source:' || cast(${sources.id} as text)`,
    hold: sql`(select min(${episodeLabels.value}) from ${episodeLabels} inner join ${episodes} on ${episodes.id} = ${episodeLabels.episodeId} where ${episodes.session} = ${sources.key} and ${episodeLabels.key} = ${HOLD})`,
  },
};
