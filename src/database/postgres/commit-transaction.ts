import type { QueryResult } from "pg";
import type { Lease } from "./connection-pool.ts";
import { NEWEST_SEQ } from "./enter-database.ts";
import { commitWithoutAnswer, isConnectionLoss, postgresCodeOf } from "./postgres-error.ts";

/** SQLSTATE of a statement in a transaction in which another one has failed. */
const ENDED_BY_FAILURE = "25P02";

/**
 * Commits. PostgreSQL answers a commit after a failed statement by rolling back without an error, so this
 * checks the answer. Returns the feed's position that was asked for before it.
 */
export async function commitTransaction(
  { client, statements }: Lease,
  asksSeq: boolean,
): Promise<number | undefined> {
  try {
    const answer: unknown = await client.query(asksSeq ? `${NEWEST_SEQ}; commit` : "commit");
    const results = (Array.isArray(answer) ? answer : [answer]) as QueryResult<{ seq: number }>[];
    if (results.at(-1)?.command === "COMMIT") return results[0]?.rows[0]?.seq;
  } catch (error) {
    if (isConnectionLoss(error)) throw commitWithoutAnswer(error);
    if (postgresCodeOf(error) !== ENDED_BY_FAILURE) throw error;
  }
  await statements.settle();
  throw new Error("A statement of the transaction had failed: nothing was stored.");
}
