/** One change to a document: a value set at a path, or removed where `value` is undefined. */
export interface Change {
  /** Names of maps and indexes of lists. One more than a list has appends to it. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Text of a config language. Both functions keep comments and formatting of what they do not touch. */
export interface DocumentLanguage {
  /** As people call it. */
  readonly title: string;
  /** The whole text as plain data; undefined for an empty one. Throws Error with line and reason. */
  parse(text: string): unknown;
  apply(text: string, change: Change): string;
}
