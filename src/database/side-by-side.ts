import { sql } from "drizzle-orm";
import { EventLoopYielder, settleAll } from "../shared/async.ts";
import type { Tx } from "./database.ts";

/** Transactions in which statements of several readings mix. */
const mixed = new WeakSet<Tx>();

/**
 * True if a savepoint would hold statements of others: then whoever began them runs them again
 * apart.
 */
export function isSideBySide(tx: Tx): boolean {
  return mixed.has(tx);
}

/**
 * True if each answer costs a round trip to a server, so that statements sent settleAll are worth
 * more work.
 */
export function answersAreFar(tx: Tx): boolean {
  return tx.engine === "postgres";
}

/**
 * Results of several readings of one transaction. On PostgreSQL they run side by side and so take as many
 * round trips as the longest. There a statement that fails makes those of the others fail as well: then each
 * runs again by itself, so that only what cannot be read fails. On SQLite they run one by one, and others get
 * their turn in between, since its statements block the process.
 */
export async function sideBySide<const Work extends readonly (() => Promise<unknown>)[]>(
  tx: Tx,
  work: Work,
): Promise<Results<Work>> {
  const all = () => settleAll(...work.map((begin) => begin()));
  if (mixed.has(tx)) return (await all()) as Results<Work>;
  const results = answersAreFar(tx) ? await attempted(tx, all) : undefined;
  return (results ?? (await oneByOne(work))) as Results<Work>;
}

type Results<Work extends readonly (() => Promise<unknown>)[]> = {
  -readonly [Place in keyof Work]: Awaited<ReturnType<Work[Place]>>;
};

async function attempted<T>(tx: Tx, all: () => Promise<T>): Promise<T | undefined> {
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

async function oneByOne(work: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const results: unknown[] = [];
  const turn = new EventLoopYielder();
  for (const begin of work) {
    results.push(await begin());
    await turn.yieldIfDue();
  }
  return results;
}
