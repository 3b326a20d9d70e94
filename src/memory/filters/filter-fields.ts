import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";
import type { FilteredKind } from "./filtered-kinds.ts";

type FieldsOf<Name extends FilterName> = { [One in Name]: (typeof FILTERS)[One]["field"] };

/** The fields of every operation that filters records, as flags, query strings and forms show them. */
export const filterFields = fieldsOf(FILTER_NAMES);

/** Those that `recall` takes. */
export const recallFilterFields: Omit<typeof filterFields, "text" | "as_of" | "known_at"> =
  fieldsOf(FILTER_NAMES.filter((name) => FILTERS[name].inRecall));

type NameForKind<Kind extends FilteredKind> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["narrows"][Kind] extends undefined ? never : Name;
}[FilterName];

/** Those that a list of this kind alone takes: each that its records can pass. */
export function filterFieldsFor<Kind extends FilteredKind>(
  kind: Kind,
): Pick<typeof filterFields, NameForKind<Kind>> {
  return fieldsOf(FILTER_NAMES.filter((name) => FILTERS[name].narrows[kind] !== undefined));
}

/** Those that lists of deleted records take: the text index has forgotten their words. */
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
