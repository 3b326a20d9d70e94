import { type SQL, sql } from "drizzle-orm";
import { listOfValues, type QueryValues, textsNamed } from "../../database/index.ts";
import type { BoundValues, Filter } from "./define-filter.ts";
import { FILTERS } from "./filter-table.ts";
import { FILTERED, type RecordKind } from "./filtered-kinds.ts";
import { allOf } from "./narrowing.ts";
import type { GivenPart, RecordFilter } from "./resolve-filter.ts";

// Conditions with placeholders, for queries that are composed once for each shape.

/** Filters of the same shape have conditions of the same text. */
export function shapeOfFilter(filter: RecordFilter): string {
  return filter.map(({ name, part: { form = "" } }) => `${name} ${form}`).join(", ");
}

export function valuesOfFilter(filter: RecordFilter): QueryValues {
  return Object.fromEntries(
    filter.flatMap((given) =>
      Object.entries(given.part.values).map(([name, value]) => [
        placeOf(given, name),
        typeof value === "object" ? listOfValues(value) : value,
      ]),
    ),
  );
}

/** What a record of the kind must be to pass; undefined: none can. */
export function retainedCondition(kind: RecordKind, filter: RecordFilter): SQL | undefined {
  return allOf(filter.map((given) => conditionOf(given, kind)));
}

/** True if its facts alone decide whether a fact cluster passes. */
export function asksForFacts(filter: RecordFilter): boolean {
  return filter.some((given) => filterOf(given).ofClusters === "facts");
}

/**
 * The numbers of all records of the kind that pass the filter which fewest pass, as the column
 * `number`. Undefined where no filter narrows much.
 */
export function numbersOfNarrowest(kind: RecordKind, filter: RecordFilter): SQL | undefined {
  const [narrowest] = filter
    .filter((given) => filterOf(given).selectivity !== undefined)
    .toSorted((a, b) => selectivityOf(a) - selectivityOf(b));
  if (narrowest === undefined) return undefined;
  const direct = filterOf(narrowest).numbers?.[kind]?.(placeholdersOf(narrowest));
  if (direct !== undefined) return direct;
  const { from, number, active } = FILTERED[kind];
  const condition = conditionOf(narrowest, kind) ?? sql`false`;
  return sql`select ${number} as number from ${from} where ${active} and ${condition}`;
}

const filterOf = ({ name }: GivenPart): Filter => FILTERS[name];

const selectivityOf = (given: GivenPart): number => filterOf(given).selectivity ?? Infinity;

function conditionOf(given: GivenPart, kind: RecordKind): SQL | undefined {
  return filterOf(given).narrows[kind]?.(placeholdersOf(given));
}

function placeholdersOf(given: GivenPart): BoundValues {
  return {
    form: given.part.form ?? "",
    finds: "few",
    one: (name) => sql`${sql.placeholder(placeOf(given, name))}`,
    many: (name) => textsNamed(placeOf(given, name)),
  };
}

function placeOf({ name, index }: GivenPart, value: string): string {
  return `${name}${index}_${value}`;
}
