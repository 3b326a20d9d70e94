import type { FILTERS } from "./filters.ts";

export type PageFilter = (typeof FILTERS)[number];

/** Those of these filters that the address has, as operations take them. */
export function narrowingIn(
  filters: readonly PageFilter[],
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string | boolean>> {
  const given = filters.flatMap(({ name, kind }): [string, string | boolean][] => {
    const text = query[name];
    if (text === undefined || text === "") return [];
    return [[name, kind === "boolean" ? text === "true" : text]];
  });
  return Object.fromEntries(given);
}
