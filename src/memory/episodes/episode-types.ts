import { type SQL, sql } from "drizzle-orm";

export const FACT = "fact";

export const BUILT_IN_EPISODE_TYPES = [
  "observation",
  "decision",
  "question",
  "preference",
  "meta",
  "outcome",
  FACT,
] as const;

/** Types of which one episode may contradict another; a fact says so by its cluster. */
export const DISPUTABLE_TYPES: readonly string[] = ["decision", "preference"];

export const CLAIMING_TYPES: readonly string[] = [FACT, "decision", "preference", "observation"];

/**
 * Condition on a row of `episodes` under this alias: it is a turn of a conversation, which is understood from the turns
 * around it. Episodes of other types, such as decisions and facts, stand alone.
 */
export function isTurn(alias = "episodes"): SQL {
  return sql.raw(`${alias}.episode_type in ('observation', 'question', 'meta')`);
}
