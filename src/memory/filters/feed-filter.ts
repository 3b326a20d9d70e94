import { type SQL, sql } from "drizzle-orm";
import { numberSet, rowsOf, type Tx, textSet } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { changes } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import type { FeedFilter } from "../events/feed-filter.ts";
import { facts } from "../facts/fact.table.ts";
import type { NameForKind } from "./filter-condition.ts";
import { conditionOf, isBySubjects, writtenOut } from "./filter-condition.ts";
import type { FilterName } from "./filter-table.ts";
import { FILTERS } from "./filter-table.ts";
import type { FeedKind } from "./filtered-kinds.ts";
import { FILTERED, idsOfSubjects, SUBJECT_KINDS, type SubjectKind } from "./filtered-kinds.ts";
import type { Filter, FilterContext } from "./narrowing.ts";
import {
  type GivenFilter,
  type GivenPart,
  type RecordFilter,
  resolveFilter,
} from "./resolve-filter.ts";
import type { Wired } from "./wired.ts";

/**
 * Looks up events about few matching records: first the records that match the most selective
 * filter, by an index, then the other filters, then their events.
 */
function eventLookUp(filter: RecordFilter): FeedFilter["findIfFew"] {
  const [narrowest] = filter
    .filter((given) => filterOf(given).selectivity !== undefined)
    .toSorted((a, b) => selectivityOf(a) - selectivityOf(b));
  if (narrowest === undefined) return async () => undefined;
  return async (tx, most) => {
    const items: string[] = [];
    for (const kind of SUBJECT_KINDS) {
      const found = await findIfFewOfKind(tx, { kind, filter, narrowest }, most - items.length);
      if (found === undefined) return undefined;
      items.push(...found);
    }
    if (items.length === 0) return [];
    const theirs = sql`select distinct ${eventItems.seq} from ${eventItems} where ${eventItems.item} in (${textSet(items)})`;
    return valuesIfFew<number>(tx, theirs, most);
  };
}

interface Wanted {
  readonly kind: SubjectKind;
  readonly filter: RecordFilter;
  readonly narrowest: GivenPart;
}

/**
 * Returns matching ids of a kind; undefined if more than `most` match the most selective filter.
 */
async function findIfFewOfKind(
  tx: Tx,
  { kind, filter, narrowest }: Wanted,
  most: number,
): Promise<readonly string[] | undefined> {
  const condition = conditionOf(kind, filter, "few");
  if (condition === undefined) return [];
  const numbers = await (kind === "conflict"
    ? conflictsOfFew(tx, narrowest, most)
    : valuesIfFew<number>(tx, numbersOf(kind, narrowest), most));
  if (numbers === undefined || numbers.length === 0) return numbers && [];
  const { from, number } = FILTERED[kind];
  const passing = sql`select ${number} from ${from} where ${number} in (${numberSet(numbers)}) and ${condition}`;
  return (await rowsOf<[id: string]>(tx, idsOfSubjects(kind, passing))).map(([id]) => id);
}

function numbersOf(kind: SubjectKind, given: GivenPart): SQL {
  const filter = filterOf(given);
  const bound = writtenOut(given, "all");
  const { from, number } = FILTERED[kind];
  const direct = filter.numbers?.[kind]?.(bound);
  if (direct === undefined) {
    return sql`select ${number} from ${from} where ${conditionOf(kind, [given]) ?? sql`false`}`;
  }
  const ofFact =
    filter.ofClusters === "lists" && kind === "concept" ? filter.narrows.fact?.(bound) : undefined;
  if (ofFact === undefined) return direct;
  return sql`${direct} union select ${facts.clusterId} from ${FILTERED.fact.from} where ${ofFact}`;
}

async function conflictsOfFew(tx: Tx, given: GivenPart, most: number) {
  const sides = await valuesIfFew<number>(tx, numbersOf("fact", given), most);
  if (sides === undefined || sides.length === 0) return sides;
  const of = (side: SQL) =>
    sql`select ${conflicts.id} from ${conflicts} where ${side} in (${numberSet(sides)})`;
  return valuesIfFew<number>(
    tx,
    sql`${of(sql`${conflicts.factA}`)} union ${of(sql`${conflicts.factB}`)}`,
    most,
  );
}

const filterOf = ({ name }: GivenPart): Filter => FILTERS[name];

const selectivityOf = (given: GivenPart): number => filterOf(given).selectivity ?? Infinity;

export async function feedFilter<
  Kind extends FeedKind,
  Given extends GivenFilter,
  LeftOut extends FilterName = never,
>(
  kind: Kind,
  context: FilterContext,
  given: Given & Wired<Exclude<NameForKind<Kind>, LeftOut>, Given>,
  _leftOut: readonly LeftOut[] = [],
): Promise<FeedFilter | undefined> {
  const whole: GivenFilter = given;
  return feedFilterOf(kind, await resolveFilter(context, whole));
}

export function feedFilterOf(kind: FeedKind, filter: RecordFilter): FeedFilter | undefined {
  if (filter.length === 0) return undefined;
  const passes = conditionOf(kind, filter);
  if (passes === undefined) return { passes: sql`false`, findIfFew: async () => [] };
  const lookUps = lookUpsOf(kind, filter);
  return {
    passes,
    async findIfFew(tx, most) {
      for (const lookUp of lookUps) {
        const found = await lookUp(tx, most);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

type LookUp = FeedFilter["findIfFew"];

function lookUpsOf(kind: FeedKind, filter: RecordFilter): readonly LookUp[] {
  const bySubjects = filter.filter((given) => isBySubjects(given, kind));
  const others = filter.filter((given) => !bySubjects.includes(given));
  const ofTime = others.filter(isOfTime);
  const each = others.filter((given) => !isOfTime(given)).map((given) => [given]);
  const ofChanges = [ofTime, ...each].filter((parts) => parts.length > 0).map(changeLookUp);
  const about = bySubjects.length === 0 ? [] : [eventLookUp(bySubjects)];
  return kind === "change"
    ? [...ofChanges, ...about.map((lookUp) => chainLookUp(lookUp, changesOfEvents))]
    : [...ofChanges.map((lookUp) => chainLookUp(lookUp, eventsOfChanges(ofTime))), ...about];
}

const isOfTime = ({ name }: GivenPart) => name === "since" || name === "until";

/** Looks up by an index of changes. The explicit order makes PostgreSQL use the index on time. */
function changeLookUp(parts: RecordFilter): LookUp {
  const condition = conditionOf("change", parts) ?? sql`false`;
  const order = parts.every(isOfTime) ? sql` order by ${changes.ts}` : sql``;
  return (tx, most) =>
    valuesIfFew(tx, sql`select ${changes.id} from ${changes} where ${condition}${order}`, most);
}

function chainLookUp(lookUp: LookUp, theirs: (numbers: readonly number[]) => SQL): LookUp {
  return async (tx, most) => {
    const numbers = await lookUp(tx, most);
    return numbers && valuesIfFew(tx, theirs(numbers), most);
  };
}

function changesOfEvents(numbers: readonly number[]): SQL {
  return sql`select distinct ${events.changeId} from ${events} where ${events.seq} in (${numberSet(numbers)}) and ${events.changeId} is not null`;
}

function eventsOfChanges(ofTime: RecordFilter): (numbers: readonly number[]) => SQL {
  const condition = ofTime.length === 0 ? sql`false` : conditionOf("event", ofTime);
  return (numbers) =>
    sql`select ${events.seq} from ${events} where ${events.changeId} in (${numberSet(numbers)}) union all select ${events.seq} from ${events} where ${events.changeId} is null and ${condition ?? sql`false`}`;
}

async function valuesIfFew<Value extends number | string>(
  tx: Tx,
  query: SQL,
  most: number,
): Promise<readonly Value[] | undefined> {
  const rows = await rowsOf<[value: Value]>(tx, sql`${query} limit ${most + 1}`);
  return rows.length > most ? undefined : rows.map(([value]) => value);
}
