import { sql } from "drizzle-orm";
import { EventLoopYielder, settleAll } from "../shared/async.ts";
import type { Tx } from "./database.ts";

/** Transactions with interleaved statements of concurrent reads. */
const mixed = new WeakSet<Tx>();

/** Returns true if a savepoint would contain statements of concurrent reads. */
export function isReadingConcurrently(tx: Tx): boolean {
  return mixed.has(tx);
}

/** Returns true if each result costs a round trip, so that batching is worth extra work. */
export function hasRoundTrips(tx: Tx): boolean {
  return tx.engine === "postgres";
}

/**
 * Runs several reads of one transaction. PostgreSQL runs them concurrently in as many round trips
 * as the longest; after a failure each is rerun separately, so that only unreadable ones fail.
 * SQLite runs them in sequence, yielding to the event loop in between.
 */
export async function readConcurrently<const Work extends readonly (() => Promise<unknown>)[]>(
  tx: Tx,
  work: Work,
): Promise<Results<Work>> {
  const runAll = () => settleAll(...work.map((begin) => begin()));
  if (mixed.has(tx)) return (await runAll()) as Results<Work>;
  const results = hasRoundTrips(tx) ? await runInSavepoint(tx, runAll) : undefined;
  return (results ?? (await runSequentially(work))) as Results<Work>;
}

type Results<Work extends readonly (() => Promise<unknown>)[]> = {
  -readonly [Place in keyof Work]: Awaited<ReturnType<Work[Place]>>;
};

async function runInSavepoint<T>(tx: Tx, all: () => Promise<T>): Promise<T | undefined> {
  await tx.run(sql`savepoint side_by_side`);
  mixed.add(tx);
  try {
    const results = await all();
    await tx.run(sql`release savepoint side_by_side`);
    return results;
  } catch {
    await tx.run(sql`rollback to savepoint side_by_side`);
    await tx.run(sql`release savepoint side_by_side`);
    return undefined;
  } finally {
    mixed.delete(tx);
  }
}

async function runSequentially(work: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const results: unknown[] = [];
  const turn = new EventLoopYielder();
  for (const begin of work) {
    results.push(await begin());
    await turn.yieldIfDue();
  }
  return results;
}
