import type { Connection } from "./open-connection.ts";

/**
 * Writes the file anew without what was deleted: the text index without its dead entries, the pages
 * without those that are free. Fails at once when another process writes.
 */
export function rewriteFile(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  connection.pragma("secure_delete = ON");
  try {
    for (const table of ["episode_text", "concept_text"]) {
      connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
    }
    connection.exec("VACUUM");
  } finally {
    connection.pragma("secure_delete = OFF");
    connection.pragma("busy_timeout = 5000");
  }
}

/** Empties the log. Fails at once while somebody reads what was there before. */
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
