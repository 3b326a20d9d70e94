import { once } from "node:events";
import { PassThrough } from "node:stream";
import { readLines } from "../../shared/read-lines.ts";
import type { MemoryEngine } from "../open-memory.ts";
import { exportDatabase } from "./export-database.ts";
import { type ImportWork, importDatabase } from "./import-database.ts";

/**
 * Copies a snapshot of a memory into an empty one as export lines. Vectors are queued, not
 * computed. Returns the number of rows. Stores nothing on errors of export or import.
 */
export async function copyMemory(
  from: MemoryEngine,
  into: MemoryEngine,
  work: ImportWork = {},
): Promise<number> {
  const lines = new PassThrough();
  // Both ends report the error; an unhandled event would end the process.
  lines.on("error", () => undefined);
  /** If one side fails, the other must not wait for it. */
  const breakOff = (error: unknown): never => {
    lines.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  };
  const put = async (chunk: string) => {
    if (lines.errored !== null) throw lines.errored;
    if (!lines.write(chunk)) await once(lines, "drain");
  };
  const { signal } = work;
  const sending = exportDatabase(from, put, signal === undefined ? {} : { signal })
    .then(() => lines.end())
    .catch(breakOff);
  const storing = importDatabase(into, readLines(lines), work).catch(breakOff);
  const [stored, sent] = await Promise.allSettled([storing, sending]);
  if (stored.status === "rejected") throw stored.reason;
  if (sent.status === "rejected") throw sent.reason;
  return stored.value;
}
