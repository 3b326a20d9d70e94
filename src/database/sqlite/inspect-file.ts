import { requireOurs } from "./application-id.ts";
import { sizeOf } from "./database-file.ts";
import { type Connection, openConnection } from "./open-connection.ts";

/**
 * Throws conflict if the file is another program's database. Reading leaves no trace; the log is only opened
 * if it holds something. Never call this for a file that this process has open, since closing any handle of a
 * file releases the process's locks on it.
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

/** If other code in this process made the first connection, the driver may not accept URLs. */
function openUnchanging(path: string): Connection {
  try {
    return openConnection({ path, mode: "immutable" });
  } catch {
    return openConnection({ path, mode: "read" });
  }
}
