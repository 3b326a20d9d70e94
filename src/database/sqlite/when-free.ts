import { sleep } from "../../shared/async.ts";
import { BUSY_TIMEOUT_MS, type Connection } from "./open-connection.ts";
import { sqliteCodeOf, translateSqliteError } from "./sqlite-error.ts";

/** `deadline` in milliseconds since 1970. */
export async function beginImmediate(connection: Connection, deadline: number): Promise<void> {
  connection.pragma("busy_timeout = 0");
  try {
    await whenFree(() => connection.exec("BEGIN IMMEDIATE"), deadline);
  } finally {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Waits asynchronously, so that this process goes on reading while another one creates or writes the file.
 */
export async function whenFree<T>(begin: () => T, deadline: number): Promise<T> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 1.5, 20)) {
    try {
      return begin();
    } catch (error) {
      const isHeld = /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCodeOf(error) ?? "");
      if (!isHeld || Date.now() > deadline) throw translateSqliteError(error);
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}
