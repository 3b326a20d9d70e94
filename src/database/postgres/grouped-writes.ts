import { sql } from "drizzle-orm";
import type { Tx } from "../database.ts";
import { isConnectionLoss } from "./postgres-error.ts";

/** Maximum writes per commit, which bounds the first one's latency. */
const MAX_ITEMS = 32;
/** No further write begins in a transaction that has lasted this long. */
const LONGEST_MS = 100;

type Body = (tx: Tx) => Promise<unknown>;
type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** A queued write, possibly executed in another one's transaction. */
class WaitingWrite {
  readonly body: Body;
  outcome: Outcome | undefined;

  constructor(body: Body) {
    this.body = body;
  }

  answer(): unknown {
    if (this.outcome === undefined) throw new Error("The write was not run.");
    if ("error" in this.outcome) throw this.outcome.error;
    return this.outcome.result;
  }
}

/**
 * Groups waiting writes of one process into a shared commit. Each has a savepoint, so they fail
 * independently. None completes before the commit.
 */
export class GroupedWrites {
  #waiting: WaitingWrite[] = [];

  /** Enqueues a write. The returned function must be called under the writer lock. */
  add<T>(body: (tx: Tx) => Promise<T>): (transact: Transact) => Promise<T> {
    const write = new WaitingWrite(body);
    this.#waiting.push(write);
    return async (transact) => {
      if (write.outcome === undefined) await this.#runWaiting(transact);
      return write.answer() as T;
    };
  }

  async #runWaiting(transact: Transact): Promise<void> {
    const group = this.#waiting.splice(0, MAX_ITEMS);
    const startedAt = performance.now();
    let outcomes: Outcome[] = [];
    try {
      await transact(async (tx) => {
        outcomes = [];
        for (const { body } of group) {
          if (outcomes.length > 0 && performance.now() - startedAt > LONGEST_MS) break;
          outcomes.push(
            group.length === 1 ? { result: await body(tx) } : await runIsolated(tx, body),
          );
        }
      });
    } catch (error) {
      outcomes = group.slice(0, Math.max(1, outcomes.length)).map(() => ({ error }));
    }
    for (const [index, outcome] of outcomes.entries()) {
      const write = group[index];
      if (write !== undefined) write.outcome = outcome;
    }
    this.#waiting = [...group.slice(outcomes.length), ...this.#waiting];
  }
}

export type Transact = (body: Body) => Promise<unknown>;

/** Runs constraint checks within its savepoint, which PostgreSQL would defer to the commit. */
async function runIsolated(tx: Tx, body: Body): Promise<Outcome> {
  await tx.run(sql`savepoint grouped_write`);
  try {
    const result = await body(tx);
    await tx.run(sql`set constraints all immediate`);
    await tx.run(sql`release savepoint grouped_write`);
    return { result };
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    await tx.run(sql`rollback to savepoint grouped_write`);
    await tx.run(sql`release savepoint grouped_write`);
    return { error };
  }
}
