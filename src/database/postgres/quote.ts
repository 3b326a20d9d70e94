/** A name within a statement. */
export function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text within a statement; backslashes stand for themselves, as PostgreSQL has it by default. */
export function escapeLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
