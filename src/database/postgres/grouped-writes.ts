import { sql } from "drizzle-orm";
import type { Tx } from "../database.ts";
import { isConnectionLoss } from "./postgres-error.ts";

/** More writes than this do not share a commit, so that the first does not wait long for its answer. */
const MAX_ITEMS = 32;
/** A write is not begun in a transaction that has lasted so long. */
const LONGEST_MS = 100;

type Body = (tx: Tx) => Promise<unknown>;
type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** A write that waits for its turn, or was done by another one's. */
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
 * Writes of one process that wait for each other: whoever is first takes those behind it into its own
 * transaction, so that they share one commit. Each has a savepoint and so fails alone. None is answered before
 * the commit.
 */
export class GroupedWrites {
  #waiting: WaitingWrite[] = [];

  /**
   * Adds a write to the queue. Returns what is to be called under the lock of the writers: it runs the write, with
   * others, unless another one's turn has done so already.
   */
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
    const begun = performance.now();
    let outcomes: Outcome[] = [];
    try {
      await transact(async (tx) => {
        outcomes = [];
        for (const { body } of group) {
          if (outcomes.length > 0 && performance.now() - begun > LONGEST_MS) break;
          outcomes.push(group.length === 1 ? { result: await body(tx) } : await byItself(tx, body));
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

/** Its errors, also those that PostgreSQL would tell only at the commit, are its own. */
async function byItself(tx: Tx, body: Body): Promise<Outcome> {
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
