import type { FILTERS } from "./filters.ts";

export type PageFilter = (typeof FILTERS)[number];

export function narrowingIn(
  filters: readonly PageFilter[],
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string | boolean>> {
  const values = filters.flatMap(({ name, kind }): [string, string | boolean][] => {
    const text = query[name];
    if (text === undefined || text === "") return [];
    const isTruth = kind === "boolean" && (text === "true" || text === "false");
    return [[name, isTruth ? text === "true" : text]];
  });
  return Object.fromEntries(values);
}
