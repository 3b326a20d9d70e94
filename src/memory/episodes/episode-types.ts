import { type SQL, sql } from "drizzle-orm";

export const FACT_TYPE = "fact";

export const BUILT_IN_EPISODE_TYPES = [
  "observation",
  "decision",
  "question",
  "preference",
  "meta",
  "outcome",
  FACT_TYPE,
] as const;

/** Types whose episodes may contradict each other; facts use their cluster instead. */
export const DISPUTABLE_TYPES: readonly string[] = ["decision", "preference"];

export const CLAIMING_TYPES: readonly string[] = [
  FACT_TYPE,
  "decision",
  "preference",
  "observation",
];

/**
 * SQL condition on `episodes`: the episode is a conversation turn, whose meaning depends on
 * adjacent turns. Other types, such as decisions and facts, are self-contained.
 */
export function isTurn(alias = "episodes"): SQL {
  return sql.raw(`${alias}.episode_type in ('observation', 'question', 'meta')`);
}
