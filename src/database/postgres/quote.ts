/** Quotes a name for use in a statement. */
export function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text for use in a statement. Backslashes stand for themselves, which is PostgreSQL's default. */
export function escapeLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
