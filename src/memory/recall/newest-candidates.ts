import { type SQL, sql } from "drizzle-orm";
import {
  hasRoundTrips,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  orderedJoin,
  type QueryShape,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { MEMORY_KINDS, type MemoryKind } from "../context/indexed-kind.ts";
import { convertDamage } from "../search/derived-damage.ts";
import { type CountedTerms, getTextIndex, matchTexts } from "../search/match-texts.ts";
import { STANDING_WORD } from "../search/standing-instructions.ts";
import type { TextMatch } from "../search/text-query.ts";
import { type Period, startOfDay } from "./dates/period.ts";
import { periodsAround, type QueriedTime } from "./dates/queried-time.ts";
import { withinDeadline } from "./limit-to-deadline.ts";
import { type EvidenceEdge, selectUpwardEdges } from "./load-graph.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import {
  conceptInScope,
  episodeInScope,
  HAPPENED_AT,
  isNarrow,
  type RecallScope,
} from "./recall-scope.ts";

const TEXT_CANDIDATES = 200;
/** Weight of context words relative to query words. */
const CONTEXT_WEIGHT = 0.5;

/** Restricts results of each kind to these numbers; undefined: unrestricted. */
export type AllowedNumbers = Readonly<Record<MemoryKind, readonly number[] | undefined>>;

const NO_MATCHES: Readonly<Record<MemoryKind, readonly TextMatch[]>> = { episode: [], concept: [] };

export type FoundTexts = Readonly<Record<MemoryKind, Map<number, number>>>;

export async function findTexts(
  tx: Tx,
  { prepared, scope, isLate }: SeedSearch,
  among: Promise<AllowedNumbers>,
): Promise<FoundTexts> {
  const found: FoundTexts = { episode: new Map(), concept: new Map() };
  const getMatches = async (words: readonly string[], counted: CountedTerms | undefined) => {
    if (words.length === 0) return NO_MATCHES;
    const search = () =>
      matchTexts(
        tx,
        words,
        MEMORY_KINDS.map((kind) => ({
          kind,
          visible: visibleInScope(scope, kind),
          limit: TEXT_CANDIDATES,
        })),
        { allowedNumbers: among, counted },
      );
    return withinDeadline({ isLate }, () => convertDamage("text index", search), NO_MATCHES);
  };
  const [ofQuery, ofContext] = await settleAll(
    getMatches(prepared.words, prepared.ahead?.words),
    getMatches(prepared.contextWords, prepared.ahead?.contextWords),
  );
  for (const { matches, share } of [
    { matches: ofQuery, share: 1 },
    { matches: ofContext, share: CONTEXT_WEIGHT },
  ]) {
    for (const kind of MEMORY_KINDS) {
      const best = matches[kind][0]?.score ?? 1;
      for (const { number, score } of matches[kind]) {
        found[kind].set(number, (found[kind].get(number) ?? 0) + (share * score) / best);
      }
    }
  }
  return found;
}

function visibleInScope(scope: RecallScope, kind: MemoryKind) {
  const condition = kind === "episode" ? episodeInScope(scope) : conceptInScope(scope);
  return {
    shape: scope.shape,
    values: scope.values,
    condition,
    isPart: isNarrow(scope),
    isTimed: scope.isTimed,
  };
}

export interface SeedSearch {
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  readonly entities: readonly number[];
  readonly secondaryEntities: readonly number[];
  isLate(): boolean;
}

/** Newest episodes per entity and period that become candidates regardless of their text. */
const MAX_EPISODES_PER_ENTITY = 50;
/** Queries rarely name more periods. */
const MAX_PERIODS = 4;
/** Without a year, the last 365 days are searched. */
const DAYS_PER_YEAR = 365;

/** Newest standing instructions in scope that are checked for relevance. */
const MAX_STANDING = 200;
const MAX_STANDING_IN_SCOPE = 30;

export interface NewestCandidates {
  readonly ofEntities: readonly number[];
  readonly ofTime: readonly number[];
  readonly standingInstructions: readonly number[];
}

export interface NewestWithEdges extends NewestCandidates {
  /** Edges from episodes of entities to the concepts they support; undefined if not loaded. */
  readonly edges: readonly EvidenceEdge[] | undefined;
}

/**
 * Finds, in one statement, the newest episodes in scope about the query's entities and times, and
 * standing instructions. For remote databases also loads the edges of entity mentions.
 */
export async function loadNewestCandidates(
  tx: Tx,
  { entities, scope, prepared: { time, today, words } }: SeedSearch,
): Promise<NewestWithEdges> {
  const periods = time === undefined ? [] : periodsToRead(time, today);
  const asksForStanding = words.length > 0;
  if (entities.length === 0 && periods.length === 0 && !asksForStanding) {
    return { ofEntities: [], ofTime: [], standingInstructions: [], edges: undefined };
  }
  const bounds = periods.flatMap(({ from, to }, index) => [
    [`from${index}`, startOfDay(from)],
    [`to${index}`, startOfDay(to + 1)],
  ]);
  const values = {
    ...scope.values,
    mentioned: listOfValues(entities),
    ...Object.fromEntries(bounds),
  };
  const shape = createShape(scope, {
    hasEntities: entities.length > 0,
    hasEdges: entities.length > 0 && hasRoundTrips(tx),
    periods: periods.length,
    standingInstructions: asksForStanding
      ? getTextIndex(tx).newestHolding("episode", STANDING_WORD)
      : undefined,
  });
  const rows = await newest(tx, values, shape);
  const getNumbers = (requested: CandidateReason) =>
    rows.flatMap(([reason, number]) => (reason === requested ? [number] : []));
  const edges = rows.flatMap(([reason, episode, concept, strength]) =>
    reason === "edge" && concept != null && strength != null
      ? [{ episode, concept, strength }]
      : [],
  );
  return {
    ofEntities: getNumbers("entity"),
    ofTime: getNumbers("time"),
    standingInstructions: getNumbers("standing"),
    edges: shape.hasEdges ? edges : undefined,
  };
}

function periodsToRead(time: QueriedTime, today: number): Period[] {
  return periodsAround(time, { from: today - DAYS_PER_YEAR, to: today }).slice(0, MAX_PERIODS);
}

type CandidateReason = "entity" | "time" | "standing" | "edge";

interface NewestRequest {
  readonly hasEntities: boolean;
  readonly hasEdges: boolean;
  readonly periods: number;
  readonly standingInstructions: SQL | undefined;
}

interface NewestShape extends QueryShape, NewestRequest {
  readonly scope: RecallScope;
}

function createShape(scope: RecallScope, request: NewestRequest): NewestShape {
  const { hasEntities, hasEdges, periods, standingInstructions } = request;
  const shape = `${scope.shape}, entities ${hasEntities}, edges ${hasEdges}, ${periods} periods, standing ${standingInstructions !== undefined}`;
  return { shape, scope, ...request };
}

type NewestRow = [
  reason: CandidateReason,
  number: number,
  concept?: number | null,
  strength?: number | null,
];

const newest = rowQuery<NewestRow, NewestShape>(
  ({ scope, hasEntities, hasEdges, periods, standingInstructions }) => {
    const others = [
      ...Array.from({ length: periods }, (_, index) => selectNewestOfPeriod(scope, index)),
      ...(standingInstructions === undefined
        ? []
        : [selectStandingInScope(scope, standingInstructions)]),
    ];
    if (hasEdges) return mentionsWithEdges(scope, others);
    return sql.join(
      [...(hasEntities ? [selectNewestMentions(scope)] : []), ...others],
      sql` union all `,
    );
  },
);

/** The widest rows come first, because they set the column types. */
function mentionsWithEdges(scope: RecallScope, others: readonly SQL[]): SQL {
  const narrower = [sql`select * from mentions`, ...others].map(
    (rows) => sql`select narrower.*, null, null from (${rows}) narrower`,
  );
  return sql`with mentions as materialized (${selectNewestMentions(scope)})
    select 'edge', edges.* from (${selectUpwardEdges(scope, sql`select episode_id from mentions`)}) edges
    union all ${sql.join(narrower, sql` union all `)}`;
}

function selectNewestMentions(scope: RecallScope): SQL {
  const ofOne = sql`select newest.episode_id from episode_entities newest
      ${ORDERED_JOIN} episodes on episodes.id = newest.episode_id
      where newest.entity_id = asked.value and ${episodeInScope(scope)}
      order by newest.episode_id desc limit ${sql.raw(String(MAX_EPISODES_PER_ENTITY))}`;
  const mention = { table: "episode_entities", alias: "mention", key: "episode_id" };
  return sql`select distinct 'entity' as reason, mention.episode_id from (${numbersParameter("mentioned")}) asked
      ${orderedJoin(mention, ofOne)} and mention.entity_id = asked.value`;
}

function selectNewestOfPeriod(scope: RecallScope, index: number): SQL {
  const from = sql.placeholder(`from${index}`);
  const to = sql.placeholder(`to${index}`);
  const ofOne = sql`select episodes.id from episodes
      where ${HAPPENED_AT} >= ${from} and ${HAPPENED_AT} < ${to} and ${episodeInScope(scope)}
      order by ${HAPPENED_AT} desc, episodes.id desc limit ${sql.raw(String(MAX_EPISODES_PER_ENTITY))}`;
  return sql`select 'time', of_time.id from (${ofOne}) as of_time`;
}

function selectStandingInScope(scope: RecallScope, standing: SQL): SQL {
  const inScope = sql`select episodes.id from (${standing} limit ${sql.raw(String(MAX_STANDING))}) held
      ${ORDERED_JOIN} episodes on episodes.id = held.number where ${episodeInScope(scope)}
      order by episodes.id desc limit ${sql.raw(String(MAX_STANDING_IN_SCOPE))}`;
  return sql`select 'standing', standing.id from (${inScope}) as standing`;
}
