import type { FILTERS } from "./filters.ts";

type PageFilter = (typeof FILTERS)[number];

/** Returns the values of these filters in an address. */
export function filtersIn(
  filters: readonly PageFilter[],
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string | boolean>> {
  const values = filters.flatMap(({ name, kind }): [string, string | boolean][] => {
    const text = query[name];
    if (text === undefined || text === "") return [];
    const isBoolean = kind === "boolean" && (text === "true" || text === "false");
    return [[name, isBoolean ? text === "true" : text]];
  });
  return Object.fromEntries(values);
}
