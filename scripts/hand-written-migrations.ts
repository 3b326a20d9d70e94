/** Migrations with text and vector indexes, which PostgreSQL has in another form. */
export const HAND_WRITTEN: readonly string[] = ["0000_initial"];
