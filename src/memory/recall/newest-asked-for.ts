import { type SQL, sql } from "drizzle-orm";
import {
  listOfValues,
  numbersNamed,
  type QueryShape,
  rowQuery,
  THEN_JOIN,
  type Tx,
  thenJoinEach,
} from "../../database/index.ts";
import { type AskedTime, periodsAround } from "./dates/asked-time.ts";
import { type Period, startOfDay } from "./dates/period.ts";
import { episodeInScope, HAPPENED_AT, type RecallScope } from "./recall-scope.ts";
import type { SeedSearch } from "./seed-search.ts";

/** The newest episodes of each entity and of each period that is asked for are candidates whatever they say. */
const EPISODES_OF_ONE = 50;
/** A query names one or two; of more the first count. */
const MOST_PERIODS = 4;
/** Where no year is named, that which ends today is looked through. */
const DAYS_OF_A_YEAR = 365;

export interface NewestAskedFor {
  readonly ofEntities: readonly number[];
  readonly ofTime: readonly number[];
}

/** Numbers of the newest episodes within the scope of what the query names, in one statement. */
export async function newestAskedFor(
  tx: Tx,
  { entities, scope, prepared: { time, today } }: SeedSearch,
): Promise<NewestAskedFor> {
  const periods = time === undefined ? [] : periodsToRead(time, today);
  if (entities.length === 0 && periods.length === 0) return { ofEntities: [], ofTime: [] };
  const bounds = periods.flatMap(({ from, to }, index) => [
    [`from${index}`, startOfDay(from)],
    [`to${index}`, startOfDay(to + 1)],
  ]);
  const values = {
    ...scope.values,
    mentioned: listOfValues(entities),
    ...Object.fromEntries(bounds),
  };
  const rows = await newest(tx, values, shapeOf(scope, entities.length > 0, periods.length));
  const numbersOf = (wanted: Reason) =>
    rows.flatMap(([reason, number]) => (reason === wanted ? [number] : []));
  return { ofEntities: numbersOf("entity"), ofTime: numbersOf("time") };
}

function periodsToRead(time: AskedTime, today: number): Period[] {
  return periodsAround(time, { from: today - DAYS_OF_A_YEAR, to: today }).slice(0, MOST_PERIODS);
}

type Reason = "entity" | "time";

interface AskedShape extends QueryShape {
  readonly scope: RecallScope;
  readonly hasEntities: boolean;
  readonly periods: number;
}

function shapeOf(scope: RecallScope, hasEntities: boolean, periods: number): AskedShape {
  const shape = `${scope.shape}, entities ${hasEntities}, ${periods} periods`;
  return { shape, scope, hasEntities, periods };
}

const newest = rowQuery<[reason: Reason, number: number], AskedShape>(
  ({ scope, hasEntities, periods }) =>
    sql.join(
      [
        ...(hasEntities ? [newestMentions(scope)] : []),
        ...Array.from({ length: periods }, (_, index) => newestOfPeriod(scope, index)),
      ],
      sql` union all `,
    ),
);

function newestMentions(scope: RecallScope): SQL {
  const ofOne = sql`select newest.episode_id from episode_entities newest
      ${THEN_JOIN} episodes on episodes.id = newest.episode_id
      where newest.entity_id = asked.value and ${episodeInScope(scope)}
      order by newest.episode_id desc limit ${sql.raw(String(EPISODES_OF_ONE))}`;
  const mention = { table: "episode_entities", alias: "mention", key: "episode_id" };
  return sql`select distinct 'entity' as reason, mention.episode_id from (${numbersNamed("mentioned")}) asked
      ${thenJoinEach(mention, ofOne)} and mention.entity_id = asked.value`;
}

function newestOfPeriod(scope: RecallScope, index: number): SQL {
  const from = sql.placeholder(`from${index}`);
  const to = sql.placeholder(`to${index}`);
  const ofOne = sql`select episodes.id from episodes
      where ${HAPPENED_AT} >= ${from} and ${HAPPENED_AT} < ${to} and ${episodeInScope(scope)}
      order by ${HAPPENED_AT} desc, episodes.id desc limit ${sql.raw(String(EPISODES_OF_ONE))}`;
  return sql`select 'time', of_time.id from (${ofOne}) as of_time`;
}
