import { requireOurs } from "./application-id.ts";
import { sizeOf } from "./database-file.ts";
import { type Connection, openConnection } from "./open-connection.ts";

/**
 * Throws conflict when the file is another program's database. It is read without a trace: only
 * where its log holds something must SQLite look at that too. Never call it for a file that this
 * process has open: closing any handle of a file gives up the process's locks on it.
 */
export function requireOurFile(path: string): void {
  const connection =
    sizeOf(`${path}-wal`) > 0 ? openConnection({ path, mode: "read" }) : openUnchanging(path);
  try {
    requireOurs(connection);
  } finally {
    connection.close();
  }
}

/** Where another part of the process made the first connection, the driver may not take URLs. */
function openUnchanging(path: string): Connection {
  try {
    return openConnection({ path, mode: "immutable" });
  } catch {
    return openConnection({ path, mode: "read" });
  }
}
