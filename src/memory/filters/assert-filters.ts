/** Compile-time check that an input type has a field for each of these filters. */
export type CompleteFilters<Name extends string, Given> = [Exclude<Name, keyof Given>] extends [
  never,
]
  ? unknown
  : { readonly [Missing in Exclude<Name, keyof Given>]: unknown };
