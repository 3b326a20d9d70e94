export interface SchemaPart {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

export interface SchemaParts {
  readonly expected: readonly SchemaPart[];
  readonly actual: readonly Omit<SchemaPart, "sql">[];
}
