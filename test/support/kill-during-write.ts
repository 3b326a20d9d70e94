import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import Connection from "better-sqlite3";

/** Kills a process with SIGKILL as soon as it holds the write lock of the database. */
export async function killDuringWrite(child: ChildProcess, path: string): Promise<void> {
  await killWhen(child, path, (connection) => {
    try {
      connection.exec("BEGIN IMMEDIATE");
      connection.exec("ROLLBACK");
      return false;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return true;
      throw error;
    }
  });
}

/** Kills it as soon as a purge is committed, while its bytes are still in the file. */
export async function killAfterPurge(child: ChildProcess, path: string): Promise<void> {
  await killWhen(child, path, (connection) => {
    const mark = connection.prepare("select value from meta where key = 'erasing'").get();
    return mark !== undefined;
  });
}

async function killWhen(
  child: ChildProcess,
  path: string,
  isThere: (connection: Connection.Database) => boolean,
): Promise<void> {
  const connection = new Connection(path, { timeout: 0 });
  try {
    while (!isThere(connection)) {
      if (child.exitCode !== null) throw new Error("The process ended before it could be killed.");
      await pause(1);
    }
    child.kill("SIGKILL");
  } finally {
    connection.close();
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
