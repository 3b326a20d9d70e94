import type { Connection } from "./open-connection.ts";

/**
 * Rewrites the file without deleted content: the text index without dead entries, and no free pages. Fails at
 * once if another process writes.
 */
export function rewriteFile(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  connection.pragma("secure_delete = ON");
  try {
    for (const table of ["episode_text", "concept_text", "passage_text"]) {
      connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
    }
    connection.exec("VACUUM");
  } finally {
    connection.pragma("secure_delete = OFF");
    connection.pragma("busy_timeout = 5000");
  }
}

/** Empties the log. Fails at once while somebody reads the former state. */
export function emptyLog(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  try {
    const [result] = connection.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (result?.busy === 0) return;
    throw Object.assign(new Error("The log is in use."), { code: "SQLITE_BUSY" });
  } finally {
    connection.pragma("busy_timeout = 5000");
  }
}
