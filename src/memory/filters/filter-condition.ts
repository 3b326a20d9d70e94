import { type SQL, sql } from "drizzle-orm";
import { textSet } from "../../database/index.ts";
import { events } from "../events/event.table.ts";
import { hasEvent } from "../events/has-event.ts";
import { facts } from "../facts/fact.table.ts";
import type { CompleteFilters } from "./assert-filters.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";
import {
  FILTERED_TABLES,
  type FilteredKind,
  SUBJECT_KINDS,
  whereSubject,
} from "./filtered-kinds.ts";
import {
  type BoundValues,
  BY_SUBJECTS,
  type Filter,
  type FilterContext,
  type InRecall,
  joinConditions,
} from "./narrowing.ts";
import {
  type FilterInput,
  type NamedFilterPart,
  type RecordFilter,
  resolveFilter,
} from "./resolve-filter.ts";

type FieldsOf<Name extends FilterName> = { [One in Name]: (typeof FILTERS)[One]["field"] };

export const filterFields = selectFields(FILTER_NAMES);

type NameInRecall<How extends InRecall> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["inRecall"] extends How ? Name : never;
}[FilterName];

export const recallFilterFields: Pick<typeof filterFields, NameInRecall<"shared">> = selectFields(
  FILTER_NAMES.filter((name) => FILTERS[name].inRecall === "shared"),
);

export type NameForKind<Kind extends FilteredKind> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["narrows"][Kind] extends undefined ? never : Name;
}[FilterName];

export const NO_FILTER: FilterInput = {};

export const givesNone = (input: FilterInput): boolean =>
  FILTER_NAMES.every((name) => input[name] === undefined);

export function selectFilterFields<Kind extends FilteredKind>(
  kind: Kind,
): Pick<typeof filterFields, NameForKind<Kind>> {
  return selectFields(FILTER_NAMES.filter((name) => FILTERS[name].narrows[kind] !== undefined));
}

export const NOT_OF_DELETED = ["text"] as const;

export function removeText<Fields extends { readonly text: unknown }>({
  text: _,
  ...others
}: Fields): Omit<Fields, "text"> {
  return others;
}

function selectFields(names: readonly FilterName[]): FieldsOf<FilterName> {
  return Object.fromEntries(
    names.map((name) => [name, FILTERS[name].field]),
  ) as FieldsOf<FilterName>;
}

/** SQL condition for active records, ignoring the filter `except`; undefined if none can match. */
export function buildFilterCondition(
  kind: FilteredKind,
  filter: RecordFilter,
  except?: FilterName,
): SQL | undefined {
  const requests = filter.filter(({ name }) => name !== except);
  return joinConditions([FILTERED_TABLES[kind].active, buildCondition(kind, requests)]);
}

export type FilterPredicate = (kind: FilteredKind) => SQL;

export async function createPredicates<
  Input extends FilterInput,
  LeftOut extends FilterName = never,
>(
  context: FilterContext,
  input: Input & CompleteFilters<Exclude<FilterName, LeftOut>, Input>,
  _leftOut: readonly LeftOut[] = [],
): Promise<FilterPredicate | undefined> {
  const full: FilterInput = input;
  return toPredicate(await resolveFilter(context, full));
}

export function toPredicate(filter: RecordFilter): FilterPredicate | undefined {
  if (filter.length === 0) return undefined;
  return (kind) => buildCondition(kind, filter) ?? sql`false`;
}

export async function createPredicate<
  Kind extends FilteredKind,
  Input extends FilterInput,
  LeftOut extends FilterName = never,
>(
  kind: Kind,
  context: FilterContext,
  input: Input & CompleteFilters<Exclude<NameForKind<Kind>, LeftOut>, Input>,
  _leftOut: readonly LeftOut[] = [],
): Promise<SQL | undefined> {
  const full: FilterInput = input;
  return toPredicate(await resolveFilter(context, full))?.(kind);
}

export function buildCondition(
  kind: FilteredKind,
  filter: RecordFilter,
  finds: BoundValues["finds"] = "all",
): SQL | undefined {
  const bySubjects = filter.filter((input) => isBySubjects(input, kind));
  const others = filter.filter((input) => !bySubjects.includes(input));
  return joinConditions([
    ...others.map((input) => buildListCondition(input, kind, finds)),
    ...(bySubjects.length === 0 ? [] : [isAbout(kind, bySubjects)]),
  ]);
}

/** At least one subject must match all filters. */
function isAbout(kind: FilteredKind, filter: RecordFilter): SQL | undefined {
  const cases = SUBJECT_KINDS.flatMap((subject) => {
    const condition = buildCondition(subject, filter, "few");
    if (condition === undefined) return [];
    return [sql`when ${sql.raw(`'${subject}'`)} then ${whereSubject(subject, condition)}`];
  });
  if (cases.length === 0) return undefined;
  const passes = sql`case ${events.subjectType} ${sql.join(cases, sql` `)} else false end`;
  if (kind === "event") return passes;
  return hasEvent(passes);
}

/** Returns true if changes and events match the filter by their subject records. */
export const isBySubjects = (input: NamedFilterPart, kind: FilteredKind): boolean =>
  narrowing(input, kind) === BY_SUBJECTS;

const narrowing = ({ name }: NamedFilterPart, kind: FilteredKind) =>
  (FILTERS[name] as Filter).narrows[kind];

function buildListCondition(
  input: NamedFilterPart,
  kind: FilteredKind,
  finds: BoundValues["finds"],
): SQL | undefined {
  const filter: Filter = FILTERS[input.name];
  const bound = expandBoundValues(input, finds);
  const narrows = narrowing(input, kind);
  const itself = narrows === BY_SUBJECTS ? undefined : narrows?.(bound);
  const ofFact =
    filter.ofClusters === "lists" && kind === "concept" ? filter.narrows.fact?.(bound) : undefined;
  if (ofFact === undefined) return itself;
  const gathers =
    finds === "all"
      ? sql`${FILTERED_TABLES.concept.number} in (select ${facts.clusterId} from ${FILTERED_TABLES.fact.from} where ${ofFact})`
      : sql`exists (select 1 from ${FILTERED_TABLES.fact.from} where ${facts.clusterId} = ${FILTERED_TABLES.concept.number} and ${ofFact})`;
  return itself === undefined ? gathers : sql`(${itself} or ${gathers})`;
}

export function expandBoundValues(
  { part: { values, form = "" } }: NamedFilterPart,
  finds: BoundValues["finds"],
): BoundValues {
  return {
    form,
    finds,
    one: (name) => sql`${values[name]}`,
    many: (name) => textSet([values[name] ?? []].flat().map(String)),
  };
}
