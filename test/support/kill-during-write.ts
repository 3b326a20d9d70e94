import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import Connection from "better-sqlite3";
import { waitFixedTime } from "./wait-fixed-time.ts";

export async function killDuringWrite(child: ChildProcess, path: string): Promise<void> {
  const connection = new Connection(path, { timeout: 0 });
  try {
    await killWhen(child, () => isLocked(connection));
  } finally {
    connection.close();
  }
}

/**
 * Kills the process after its purge is committed but before the bytes are erased. An open read
 * transaction delays the erasure long enough.
 */
export async function killAfterPurge(
  path: string,
  start: () => Promise<ChildProcess>,
): Promise<void> {
  const earlier = new Connection(path, { timeout: 0 });
  const connection = new Connection(path, { timeout: 0 });
  try {
    earlier.exec("BEGIN");
    const before = earlier.prepare("select count(*) from meta").get();
    if (before === undefined) throw new Error("The reader has seen nothing.");
    const mark = connection.prepare("select value from meta where key = 'erasing'");
    await killWhen(await start(), () => mark.get() !== undefined);
  } finally {
    connection.close();
    earlier.close();
  }
}

function isLocked(connection: Connection.Database): boolean {
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.exec("ROLLBACK");
    return false;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return true;
    throw error;
  }
}

async function killWhen(child: ChildProcess, isThere: () => boolean): Promise<void> {
  let reply = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      reply += chunk.toString("utf8");
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!isThere()) {
    if (hasEnded()) throw new Error(`The process ended before it could be killed: ${reply}`);
    await waitFixedTime(1, "retry interval");
  }
  const exit = hasEnded() ? undefined : once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
