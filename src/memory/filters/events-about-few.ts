import { type SQL, sql } from "drizzle-orm";
import { numberSet, rowsOf, type Tx, textSet } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { eventItems } from "../events/event.table.ts";
import type { FeedFilter } from "../events/feed-filter.ts";
import { facts } from "../facts/fact.table.ts";
import type { Filter } from "./define-filter.ts";
import { conditionOf, writtenOut } from "./filter-condition.ts";
import { FILTERS } from "./filter-table.ts";
import { FILTERED } from "./filtered-kinds.ts";
import type { GivenPart, RecordFilter } from "./resolve-filter.ts";
import { idsOfSubjects, SUBJECT_KINDS, type SubjectKind } from "./subjects.ts";
import { valuesIfFew } from "./values-if-few.ts";

/**
 * The events about records that pass, where these are few. First come all records that pass the filter
 * which fewest pass, by an index; of them those that pass the others; then the events of these.
 */
export function eventsAboutFew(filter: RecordFilter): FeedFilter["few"] {
  const [narrowest] = filter
    .filter((given) => filterOf(given).selectivity !== undefined)
    .toSorted((a, b) => selectivityOf(a) - selectivityOf(b));
  if (narrowest === undefined) return async () => undefined;
  return async (tx, most) => {
    const items: string[] = [];
    for (const kind of SUBJECT_KINDS) {
      const found = await fewOfKind(tx, { kind, filter, narrowest }, most - items.length);
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

/** Ids of the records of a kind that pass; undefined: more than `most` of them pass the narrowest filter. */
async function fewOfKind(
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

/** All records of the kind that pass one filter. */
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

/** A conflict passes by one of its facts. */
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
