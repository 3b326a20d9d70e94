/** Migrations with text and vector indexes, which differ between SQLite and PostgreSQL. */
export const HAND_WRITTEN: readonly string[] = ["0000_initial"];
