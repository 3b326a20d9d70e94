import type { InRecall } from "./define-filter.ts";
import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";
import type { FilteredKind } from "./filtered-kinds.ts";
import type { GivenFilter } from "./resolve-filter.ts";

type FieldsOf<Name extends FilterName> = { [One in Name]: (typeof FILTERS)[One]["field"] };

/** The fields of every operation that filters records, as flags, query strings and forms show them. */
export const filterFields = fieldsOf(FILTER_NAMES);

type NameInRecall<How extends InRecall> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["inRecall"] extends How ? Name : never;
}[FilterName];

/** Each filter that means something in `recall`. */
export type RecallFilterName = NameInRecall<"shared" | "own">;

/** Those that `recall` takes as lists do. */
export const recallFilterFields: Pick<typeof filterFields, NameInRecall<"shared">> = fieldsOf(
  FILTER_NAMES.filter((name) => FILTERS[name].inRecall === "shared"),
);

export type NameForKind<Kind extends FilteredKind> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["narrows"][Kind] extends undefined ? never : Name;
}[FilterName];

/** For a condition of one filter alone. */
export const NO_FILTER: GivenFilter = {};

/** True if an input gives no filter at all. */
export const givesNone = (given: GivenFilter): boolean =>
  FILTER_NAMES.every((name) => given[name] === undefined);

export function filterFieldsFor<Kind extends FilteredKind>(
  kind: Kind,
): Pick<typeof filterFields, NameForKind<Kind>> {
  return fieldsOf(FILTER_NAMES.filter((name) => FILTERS[name].narrows[kind] !== undefined));
}

export const NOT_OF_DELETED = ["text"] as const;

export function withoutText<Fields extends { readonly text: unknown }>({
  text: _,
  ...others
}: Fields): Omit<Fields, "text"> {
  return others;
}

function fieldsOf(names: readonly FilterName[]): FieldsOf<FilterName> {
  return Object.fromEntries(
    names.map((name) => [name, FILTERS[name].field]),
  ) as FieldsOf<FilterName>;
}
