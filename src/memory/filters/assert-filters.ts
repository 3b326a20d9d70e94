/** Compile-time check that an input type has a field for each of these filters. */
export type CompleteFilters<Name extends string, Input> = [Exclude<Name, keyof Input>] extends [
  never,
]
  ? unknown
  : { readonly [Missing in Exclude<Name, keyof Input>]: unknown };
