import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, processesHere } from "../../shared/process-lock.ts";
import { endCarriers } from "./socket-carriers.ts";

const BEGINNING = "cairn-sandbox-";

/**
 * An empty folder for a helper of this process. Removes those of processes that were killed together
 * with their helpers before.
 */
export async function makeHelperFolder(): Promise<string> {
  const here = processesHere();
  await removeAbandoned(`${BEGINNING}${here}.`);
  return mkdtemp(join(tmpdir(), `${BEGINNING}${here}.${process.pid}-`));
}

/** Only of this machine's, or container's, own processes: others that share the folder may live. */
async function removeAbandoned(beginning: string): Promise<void> {
  const isAbandoned = (name: string) =>
    name.startsWith(beginning) && !isAlive(Number.parseInt(name.slice(beginning.length), 10));
  // Their folder may be gone, or lie elsewhere.
  endCarriers(isAbandoned);
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter(isAbandoned);
  // Another user's are for that user to remove.
  const removed = abandoned.map((name) =>
    rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined),
  );
  await Promise.all(removed);
}
