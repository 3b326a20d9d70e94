import { FILTER_NAMES, FILTERS, type FilterName } from "./filter-table.ts";

type FieldsOf<Name extends FilterName> = { [One in Name]: (typeof FILTERS)[One]["field"] };

/** The fields of every operation that filters records, as flags, query strings and forms show them. */
export const filterFields = fieldsOf(FILTER_NAMES);

/** Those that `recall` takes. */
export const recallFilterFields: Omit<typeof filterFields, "text" | "as_of" | "known_at"> =
  fieldsOf(FILTER_NAMES.filter((name) => FILTERS[name].inRecall));

function fieldsOf(names: readonly FilterName[]): FieldsOf<FilterName> {
  return Object.fromEntries(
    names.map((name) => [name, FILTERS[name].field]),
  ) as FieldsOf<FilterName>;
}
