/** As much of a snapshot's scope as a program that imports the package needs to know. */
export interface Scope<
  Name extends string = string,
  Section extends object = object,
  // biome-ignore lint/correctness/noUnusedVariables: keeps its place in the list
  Prepared = unknown,
> {
  /** What stands before the colon. */
  readonly name: Name;
  /** What the section holds. */
  readonly summary: string;
  read(...context: never): Promise<Section>;
}

/** What narrows a section; only the memory makes one. */
export interface SectionFilter {
  /** The filters as they were given. */
  readonly given: object;
}
