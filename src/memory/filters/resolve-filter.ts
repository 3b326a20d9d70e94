import { type SQL, sql } from "drizzle-orm";
import { listOfValues, type QueryValues, textsParameter } from "../../database/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CompleteFilters } from "./assert-filters.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";
import { FILTERED_TABLES, type RecordKind } from "./filtered-kinds.ts";
import type { FilterContext, FilterPart } from "./narrowing.ts";
import { type BoundValues, type Filter, joinConditions } from "./narrowing.ts";

export interface NamedFilterPart {
  readonly name: FilterName;
  readonly index: number;
  readonly part: FilterPart;
}

export type RecordFilter = readonly NamedFilterPart[];

export type FilterInput = { readonly [Name in FilterName]?: unknown };

/**
 * Resolves times, topics and types. Throws invalid_input and not_found. An input type that lacks a
 * filter is a compile error.
 */
export async function resolveFilter<Input extends FilterInput>(
  context: FilterContext,
  input: Input & CompleteFilters<FilterName, Input>,
): Promise<RecordFilter> {
  const found: NamedFilterPart[] = [];
  for (const name of FILTER_NAMES) {
    if (input[name] === undefined) continue;
    const parts = await FILTERS[name].parts(input[name], { ...context, input: { ...input } });
    found.push(...parts.map((part, index) => ({ name, index, part })));
  }
  checkOrder(resolveMoment(found, "since"), resolveMoment(found, "until"));
  return found;
}

function resolveMoment(filter: RecordFilter, name: "since" | "until"): unknown {
  return filter.find((part) => part.name === name)?.part.values.at;
}

function checkOrder(since: unknown, until: unknown): void {
  if (typeof since !== "string" || typeof until !== "string" || since <= until) return;
  throw invalidInput(`since: ${since} is after until: ${until}; swap the two`);
}

// Replaces values by placeholders: the cache key of a query.

export function shapeOfFilter(filter: RecordFilter): string {
  return filter.map(({ name, part: { form = "" } }) => `${name} ${form}`).join(", ");
}

export function valuesOfFilter(filter: RecordFilter): QueryValues {
  return Object.fromEntries(
    filter.flatMap((input) =>
      Object.entries(input.part.values).map(([name, value]) => [
        placeholderName(input, name),
        typeof value === "object" ? listOfValues(value) : value,
      ]),
    ),
  );
}

export function buildCondition(kind: RecordKind, filter: RecordFilter): SQL | undefined {
  return joinConditions(filter.map((input) => buildNarrowing(input, kind)));
}

export function includesFactFilter(filter: RecordFilter): boolean {
  return filter.some((input) => getFilter(input).ofClusters === "facts");
}

/**
 * Subquery of all records of the kind that match the most selective filter, as column `number`.
 * Undefined if no filter is selective.
 */
export function numbersOfNarrowest(kind: RecordKind, filter: RecordFilter): SQL | undefined {
  const [narrowest] = filter
    .filter((input) => getFilter(input).selectivity !== undefined)
    .toSorted((a, b) => getSelectivity(a) - getSelectivity(b));
  if (narrowest === undefined) return undefined;
  const direct = getFilter(narrowest).numbers?.[kind]?.(createPlaceholders(narrowest));
  if (direct !== undefined) return direct;
  const { from, number, active } = FILTERED_TABLES[kind];
  const condition = buildNarrowing(narrowest, kind) ?? sql`false`;
  return sql`select ${number} as number from ${from} where ${active} and ${condition}`;
}

const getFilter = ({ name }: NamedFilterPart): Filter => FILTERS[name];

const getSelectivity = (input: NamedFilterPart): number => getFilter(input).selectivity ?? Infinity;

function buildNarrowing(input: NamedFilterPart, kind: RecordKind): SQL | undefined {
  return getFilter(input).narrows[kind]?.(createPlaceholders(input));
}

function createPlaceholders(input: NamedFilterPart): BoundValues {
  return {
    form: input.part.form ?? "",
    finds: "few",
    one: (name) => sql`${sql.placeholder(placeholderName(input, name))}`,
    many: (name) => textsParameter(placeholderName(input, name)),
  };
}

function placeholderName({ name, index }: NamedFilterPart, value: string): string {
  return `${name}${index}_${value}`;
}
