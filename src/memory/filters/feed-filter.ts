import { type SQL, sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx, textSet } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { changes } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import type { FeedFilter } from "../events/feed-filter.ts";
import { facts } from "../facts/fact.table.ts";
import type { CompleteFilters } from "./assert-filters.ts";
import type { NameForKind } from "./filter-condition.ts";
import { buildCondition, expandBoundValues, isBySubjects } from "./filter-condition.ts";
import type { FilterName } from "./filter-table.ts";
import { FILTERS } from "./filter-table.ts";
import type { FeedKind } from "./filtered-kinds.ts";
import {
  FILTERED_TABLES,
  idsOfSubjects,
  SUBJECT_KINDS,
  type SubjectKind,
} from "./filtered-kinds.ts";
import type { Filter, FilterContext } from "./narrowing.ts";
import {
  type FilterInput,
  type NamedFilterPart,
  type RecordFilter,
  resolveFilter,
} from "./resolve-filter.ts";

/**
 * Looks up events about few matching records: first the records that match the most selective
 * filter, by an index, then the other filters, then their events.
 */
function createEventLookUp(filter: RecordFilter): FeedFilter["findIfFew"] {
  const [narrowest] = filter
    .filter((input) => getFilter(input).selectivity !== undefined)
    .toSorted((a, b) => getSelectivity(a) - getSelectivity(b));
  if (narrowest === undefined) return async () => undefined;
  return async (tx, limit) => {
    const items: string[] = [];
    for (const kind of SUBJECT_KINDS) {
      const found = await findIfFewOfKind(tx, { kind, filter, narrowest }, limit - items.length);
      if (found === undefined) return undefined;
      items.push(...found);
    }
    if (items.length === 0) return [];
    const theirs = sql`select distinct ${eventItems.seq} from ${eventItems} where ${eventItems.item} in (${textSet(items)})`;
    return loadValuesIfFew<number>(tx, theirs, limit);
  };
}

interface FeedFilterRequest {
  readonly kind: SubjectKind;
  readonly filter: RecordFilter;
  readonly narrowest: NamedFilterPart;
}

/**
 * Returns matching ids of a kind; undefined if more than `most` match the most selective filter.
 */
async function findIfFewOfKind(
  tx: Tx,
  { kind, filter, narrowest }: FeedFilterRequest,
  limit: number,
): Promise<readonly string[] | undefined> {
  const condition = buildCondition(kind, filter, "few");
  if (condition === undefined) return [];
  const numbers = await (kind === "conflict"
    ? findConflictsOfFew(tx, narrowest, limit)
    : loadValuesIfFew<number>(tx, selectNumbers(kind, narrowest), limit));
  if (numbers === undefined || numbers.length === 0) return numbers && [];
  const { from, number } = FILTERED_TABLES[kind];
  const passing = sql`select ${number} from ${from} where ${number} in (${numberSet(numbers)}) and ${condition}`;
  return (await selectRows<[id: string]>(tx, idsOfSubjects(kind, passing))).map(([id]) => id);
}

function selectNumbers(kind: SubjectKind, input: NamedFilterPart): SQL {
  const filter = getFilter(input);
  const bound = expandBoundValues(input, "all");
  const { from, number } = FILTERED_TABLES[kind];
  const direct = filter.numbers?.[kind]?.(bound);
  if (direct === undefined) {
    return sql`select ${number} from ${from} where ${buildCondition(kind, [input]) ?? sql`false`}`;
  }
  const ofFact =
    filter.ofClusters === "lists" && kind === "concept" ? filter.narrows.fact?.(bound) : undefined;
  if (ofFact === undefined) return direct;
  return sql`${direct} union select ${facts.clusterId} from ${FILTERED_TABLES.fact.from} where ${ofFact}`;
}

async function findConflictsOfFew(tx: Tx, input: NamedFilterPart, limit: number) {
  const sides = await loadValuesIfFew<number>(tx, selectNumbers("fact", input), limit);
  if (sides === undefined || sides.length === 0) return sides;
  const of = (side: SQL) =>
    sql`select ${conflicts.id} from ${conflicts} where ${side} in (${numberSet(sides)})`;
  return loadValuesIfFew<number>(
    tx,
    sql`${of(sql`${conflicts.factA}`)} union ${of(sql`${conflicts.factB}`)}`,
    limit,
  );
}

const getFilter = ({ name }: NamedFilterPart): Filter => FILTERS[name];

const getSelectivity = (input: NamedFilterPart): number => getFilter(input).selectivity ?? Infinity;

export async function buildFeedFilter<
  Kind extends FeedKind,
  Input extends FilterInput,
  LeftOut extends FilterName = never,
>(
  kind: Kind,
  context: FilterContext,
  input: Input & CompleteFilters<Exclude<NameForKind<Kind>, LeftOut>, Input>,
  _leftOut: readonly LeftOut[] = [],
): Promise<FeedFilter | undefined> {
  const full: FilterInput = input;
  return createFeedFilter(kind, await resolveFilter(context, full));
}

export function createFeedFilter(kind: FeedKind, filter: RecordFilter): FeedFilter | undefined {
  if (filter.length === 0) return undefined;
  const passes = buildCondition(kind, filter);
  if (passes === undefined) return { passes: sql`false`, findIfFew: async () => [] };
  const lookUps = createLookUps(kind, filter);
  return {
    passes,
    async findIfFew(tx, limit) {
      for (const lookUp of lookUps) {
        const found = await lookUp(tx, limit);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

type LookUp = FeedFilter["findIfFew"];

function createLookUps(kind: FeedKind, filter: RecordFilter): readonly LookUp[] {
  const bySubjects = filter.filter((input) => isBySubjects(input, kind));
  const others = filter.filter((input) => !bySubjects.includes(input));
  const ofTime = others.filter(isOfTime);
  const each = others.filter((input) => !isOfTime(input)).map((input) => [input]);
  const ofChanges = [ofTime, ...each].filter((parts) => parts.length > 0).map(createChangeLookUp);
  const about = bySubjects.length === 0 ? [] : [createEventLookUp(bySubjects)];
  return kind === "change"
    ? [...ofChanges, ...about.map((lookUp) => chainLookUps(lookUp, selectChangesOfEvents))]
    : [...ofChanges.map((lookUp) => chainLookUps(lookUp, selectEventsOfChanges(ofTime))), ...about];
}

const isOfTime = ({ name }: NamedFilterPart) => name === "since" || name === "until";

/** Looks up by an index of changes. The explicit order makes PostgreSQL use the index on time. */
function createChangeLookUp(parts: RecordFilter): LookUp {
  const condition = buildCondition("change", parts) ?? sql`false`;
  const order = parts.every(isOfTime) ? sql` order by ${changes.ts}` : sql``;
  return (tx, limit) =>
    loadValuesIfFew(
      tx,
      sql`select ${changes.id} from ${changes} where ${condition}${order}`,
      limit,
    );
}

function chainLookUps(lookUp: LookUp, theirs: (numbers: readonly number[]) => SQL): LookUp {
  return async (tx, limit) => {
    const numbers = await lookUp(tx, limit);
    return numbers && loadValuesIfFew(tx, theirs(numbers), limit);
  };
}

function selectChangesOfEvents(numbers: readonly number[]): SQL {
  return sql`select distinct ${events.changeId} from ${events} where ${events.seq} in (${numberSet(numbers)}) and ${events.changeId} is not null`;
}

function selectEventsOfChanges(ofTime: RecordFilter): (numbers: readonly number[]) => SQL {
  const condition = ofTime.length === 0 ? sql`false` : buildCondition("event", ofTime);
  return (numbers) =>
    sql`select ${events.seq} from ${events} where ${events.changeId} in (${numberSet(numbers)}) union all select ${events.seq} from ${events} where ${events.changeId} is null and ${condition ?? sql`false`}`;
}

async function loadValuesIfFew<Value extends number | string>(
  tx: Tx,
  query: SQL,
  limit: number,
): Promise<readonly Value[] | undefined> {
  const rows = await selectRows<[value: Value]>(tx, sql`${query} limit ${limit + 1}`);
  return rows.length > limit ? undefined : rows.map(([value]) => value);
}
