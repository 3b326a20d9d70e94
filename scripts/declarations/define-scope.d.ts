/** Public part of the type of a snapshot scope. */
export interface Scope<
  Name extends string = string,
  Section extends object = object,
  // biome-ignore lint/correctness/noUnusedVariables: keeps its place in the list
  Prepared = unknown,
> {
  /** Part of a scope before the colon. */
  readonly name: Name;
  /** Contents of the section. */
  readonly summary: string;
  read(...context: never): Promise<Section>;
}

/** Filters of a section; only the engine creates them. */
export interface SectionFilter {
  /** The filters of the request. */
  readonly given: object;
}
