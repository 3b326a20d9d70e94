import { type SQL, sql } from "drizzle-orm";
import { contains, type Database, selectRows, type Tx } from "../../database/index.ts";
import { shortenLine } from "../../shared/text.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { FILTERED_TABLES, type FilteredKind } from "../filters/filtered-kinds.ts";
import { conflictId, episodeId, factId, proposalId } from "../input/item-ids.ts";

export const SUGGESTIONS = [
  "episode",
  "fact",
  "conflict",
  "proposal",
  "concept",
  "entity",
  "topic",
  "label",
  "author",
  "session",
  "type",
] as const;

export type SuggestionKind = (typeof SUGGESTIONS)[number];

export interface Suggestion {
  readonly value: string;
  readonly kind: SuggestionKind;
  readonly detail: string;
}

export interface SuggestQuery {
  readonly prefix: string;
  readonly kinds: readonly SuggestionKind[];
  readonly limit: number;
  readonly condition?: ((kind: FilteredKind) => SQL) | undefined;
}

/** Returns known values that begin with the prefix, at most `limit` per kind and in total. */
export async function suggest(tx: Tx, query: SuggestQuery): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  const { prefix, limit, condition } = query;
  const requested = {
    prefix,
    limit,
    isNarrowed: condition !== undefined,
    passes: condition ?? (() => sql`true`),
  };
  for (const kind of SUGGESTIONS) {
    if (!query.kinds.includes(kind) || found.length >= query.limit) continue;
    const rows = await SUGGESTION_SOURCES[kind](tx, requested);
    for (const [value, detail] of rows)
      found.push({ value, kind, detail: shortenLine(detail, 80) });
  }
  return found.slice(0, query.limit);
}

interface SuggestionRequest {
  readonly prefix: string;
  readonly limit: number;
  readonly isNarrowed: boolean;
  passes(kind: FilteredKind): SQL;
}

type SuggestionRow = [value: string, detail: string];

const SUGGESTION_SOURCES: Readonly<
  Record<SuggestionKind, (tx: Tx, requested: SuggestionRequest) => Promise<SuggestionRow[]>>
> = {
  episode: (tx, requested) =>
    suggestNumbered(tx, requested, {
      idOf: episodeId,
      query: (ranges) => sql`select id, content from episodes
        where deleted_at is null and ${ranges} and ${requested.passes("episode")} order by id desc limit ${requested.limit}`,
    }),
  fact: (tx, requested) =>
    suggestNumbered(tx, requested, {
      idOf: factId,
      query: (ranges) => sql`select claimed.id, said.content from (
          select id, episode_id from facts where ${ranges}
        ) claimed inner join episodes said on said.id = claimed.episode_id
        where said.deleted_at is null and ${isFactThatPasses(requested)} order by claimed.id desc limit ${requested.limit}`,
    }),
  conflict: (tx, requested) =>
    suggestNumbered(tx, requested, {
      idOf: conflictId,
      query: (ranges) => sql`select id, coalesce(description, status) from conflicts
        where status = 'open' and ${ranges} and ${requested.passes("conflict")} order by id desc limit ${requested.limit}`,
    }),
  proposal: (tx, requested) =>
    suggestNumbered(tx, requested, {
      idOf: proposalId,
      query: (ranges) => sql`select id, content from proposals
        where status = 'open' and ${ranges} and ${requested.passes("proposal")} order by id desc limit ${requested.limit}`,
    }),
  concept: suggestConcepts,
  entity: suggestEntities,
  topic: suggestTopics,
  label: suggestLabels,
  author: (tx, requested) => suggestColumn(tx, requested, sql`asserted_by`),
  session: (tx, requested) => suggestColumn(tx, requested, sql`session`),
  type: (tx, requested) => suggestColumn(tx, requested, sql`episode_type`),
};

type SqlPart = ReturnType<typeof sql>;

/** `ep:1` matches ep:1, ep:10 to ep:19, ep:100 to ep:199, and so on; newest first. */
async function suggestNumbered(
  tx: Tx,
  { prefix }: SuggestionRequest,
  source: { idOf(number: number): string; query(ranges: SqlPart): SqlPart },
): Promise<SuggestionRow[]> {
  const name = source.idOf(1).slice(0, -1);
  const digits = prefix.startsWith(name) ? prefix.slice(name.length) : prefix;
  const isStarted = prefix !== "" && name.startsWith(prefix);
  if (!isStarted && !/^([1-9]\d{0,8})?$/.test(digits)) return [];
  const ranges = isStarted || digits === "" ? sql`true` : formatRanges(Number(digits));
  const rows = await selectRows<[number: number, detail: string]>(tx, source.query(ranges));
  return rows.map(([number, detail]) => [source.idOf(number), detail]);
}

function formatRanges(first: number): SqlPart {
  const ranges = Array.from({ length: 7 }, (_, zeros) => {
    const scale = 10 ** zeros;
    return sql`id between ${first * scale} and ${(first + 1) * scale - 1}`;
  });
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function isFactThatPasses({ isNarrowed, passes }: SuggestionRequest): SqlPart {
  if (!isNarrowed) return sql`true`;
  const { from, number } = FILTERED_TABLES.fact;
  return sql`exists (select 1 from ${from} where ${number} = claimed.id and ${passes("fact")})`;
}

function suggestTopics(
  tx: Tx,
  { prefix, limit, isNarrowed, passes }: SuggestionRequest,
): Promise<SuggestionRow[]> {
  const getIs = (kind: "episode" | "concept") => {
    const { from, topic, active } = FILTERED_TABLES[kind];
    return sql`exists (select 1 from ${from} where ${topic} = topics.id and ${active} and ${passes(kind)})`;
  };
  const isUsed = isNarrowed ? sql`(${getIs("episode")} or ${getIs("concept")})` : sql`true`;
  return selectRows(
    tx,
    sql`select id, name from topics where ${isUsed} and (${prefixCondition(sql`id`, prefix)}
        or ${prefixCondition(sql`lower(name)`, prefix.toLowerCase())})
      order by id limit ${limit}`,
  );
}

function suggestConcepts(
  tx: Tx,
  { prefix, limit, passes }: SuggestionRequest,
): Promise<SuggestionRow[]> {
  const lower = prefix.toLowerCase();
  return selectRows(
    tx,
    sql`select public_id, title from concepts where deleted_at is null
      and (type <> ${FACT_CLUSTER} or instance_count > 0) and ${passes("concept")} and (
        ${prefixCondition(sql`public_id`, prefix)} or ${prefixCondition(sql`lower(title)`, lower)}
        or ${contains(sql`lower(title)`, sql`${` ${lower}`}`)})
      order by confidence desc, instance_count desc, id desc limit ${limit}`,
  );
}

/** Matches `tool:po` or the name alone, most mentioned first. */
function suggestEntities(
  tx: Tx,
  { prefix, limit, isNarrowed, passes }: SuggestionRequest,
): Promise<SuggestionRow[]> {
  const at = prefix.indexOf(":");
  const key = prefix
    .slice(at + 1)
    .trim()
    .toLowerCase();
  const ofType = at < 0 ? sql`true` : sql`type = ${prefix.slice(0, at).toLowerCase()}`;
  const isFile = sql`(type = 'file' and ${prefixCondition(sql`key`, prefix.slice(at + 1).trim())})`;
  const isType = at < 0 && prefix !== "" ? sql`or ${prefixCondition(sql`type`, key)}` : sql``;
  return selectRows(
    tx,
    sql`select found.id, case found.mentions when 1 then '1 episode' else found.mentions || ' episodes' end from (
        select type || ':' || name as id, (
          select count(*) from episode_entities mention
          inner join episodes on episodes.id = mention.episode_id and episodes.deleted_at is null
          where mention.entity_id = entities.id and ${passes("episode")}) as mentions
        from entities where ${ofType} and (${prefixCondition(sql`key`, key)} or ${isFile} ${isType})
      ) found where ${isNarrowed ? sql`found.mentions > 0` : sql`true`}
      order by found.mentions desc, found.id limit ${limit}`,
  );
}

/** Matches `area=bu`; the key must be complete if there is an `=`. */
function suggestLabels(
  tx: Tx,
  { prefix, limit, passes }: SuggestionRequest,
): Promise<SuggestionRow[]> {
  const at = prefix.indexOf("=");
  const matches =
    at < 0
      ? prefixCondition(sql`key`, prefix)
      : sql`key = ${prefix.slice(0, at)} and ${prefixCondition(sql`value`, prefix.slice(at + 1))}`;
  return selectRows(
    tx,
    sql`select found.pair, cast(sum(found.uses) as text) from (
        select key || '=' || value as pair, count(*) as uses from episode_labels
          inner join episodes on episodes.id = episode_id and deleted_at is null
          where ${matches} and ${passes("episode")} group by key, value
        union all
        select key || '=' || value, count(*) from concept_labels
          inner join concepts on concepts.id = concept_id and deleted_at is null
          where ${matches} and ${passes("concept")} group by key, value
      ) found group by found.pair order by sum(found.uses) desc, found.pair limit ${limit}`,
  );
}

function suggestColumn(
  tx: Tx,
  { prefix, limit, passes }: SuggestionRequest,
  column: SqlPart,
): Promise<SuggestionRow[]> {
  return selectRows(
    tx,
    sql`select found.value, cast(found.uses as text) from (
        select ${column} as value, count(*) as uses from episodes
        where deleted_at is null and ${column} is not null and ${passes("episode")} group by 1
      ) found where ${prefixCondition(sql`lower(found.value)`, prefix.toLowerCase())}
      order by found.uses desc, found.value limit ${limit}`,
  );
}

/** Portable prefix match without wildcards. */
function prefixCondition(column: SqlPart, prefix: string): SqlPart {
  if (prefix === "") return sql`true`;
  return sql`substr(${column}, 1, ${[...prefix].length}) = ${prefix}`;
}

export async function suggestDatabaseValues(
  database: Database,
  query: SuggestQuery,
): Promise<Suggestion[]> {
  return (await database.exists()) ? database.read((tx) => suggest(tx, query)) : [];
}
