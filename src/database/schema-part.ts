/** A table, an index or a trigger. */
export interface SchemaPart {
  readonly type: string;
  readonly name: string;
  /** Name of the table that it belongs to. */
  readonly table: string;
  /** The statement that creates it. */
  readonly sql: string;
}

export interface SchemaParts {
  readonly expected: readonly SchemaPart[];
  readonly actual: readonly Omit<SchemaPart, "sql">[];
}
