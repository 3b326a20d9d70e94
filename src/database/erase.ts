import type { Connection } from "./open-connection.ts";

const ATTEMPTS = 50;
const WAIT_MS = 100;

/**
 * Writes the file anew without what was deleted: the text index without its dead entries, the pages
 * without those that are free, and the log emptied. Throws busy when another process goes on reading
 * what was there before.
 */
export function erase(connection: Connection): void {
  connection.pragma("secure_delete = ON");
  try {
    for (const table of ["episode_text", "concept_text"]) {
      connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
    }
    connection.exec("VACUUM");
    emptyLog(connection);
  } finally {
    connection.pragma("secure_delete = OFF");
  }
}

/** Readers of a former state keep the log; they end soon. */
function emptyLog(connection: Connection): void {
  for (let attempt = 1; ; attempt += 1) {
    const [result] = connection.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (result?.busy === 0) return;
    if (attempt === ATTEMPTS) {
      throw Object.assign(new Error("The log is in use."), { code: "SQLITE_BUSY" });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
}
