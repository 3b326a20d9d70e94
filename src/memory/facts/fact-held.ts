import { type SQL, sql } from "drizzle-orm";
import { facts } from "./fact.table.ts";

/** When it was written that a fact is history. Versions before 0.2 noted that time as its end. */
export const SUPERSEDED_AT = sql`coalesce(${facts.supersededAt}, ${facts.validTo})`;

export interface AskedTimes {
  /** A timestamp as an expression: what held at that time. */
  readonly asOf?: SQL | undefined;
  /** A timestamp as an expression: only what had been written by then counts. */
  readonly knownAt?: SQL | undefined;
}

/**
 * Condition on `facts`. Without times: valid now. `asOf`: valid then, as known now. `knownAt`:
 * believed valid then. Both: believed at `knownAt` to be valid at `asOf`.
 */
export function factHeld({ asOf, knownAt }: AskedTimes): SQL {
  if (asOf === undefined && knownAt === undefined) return sql`${facts.status} = 'active'`;
  const wasKnown = knownAt && sql`${facts.createdAt} <= ${knownAt}`;
  const wasOpen = knownAt && sql`(${facts.status} = 'active' or ${SUPERSEDED_AT} > ${knownAt})`;
  if (asOf === undefined) return sql`(${wasKnown} and ${wasOpen})`;
  const held = sql`${facts.validTo} is null or ${facts.validTo} > ${asOf}`;
  const began = sql`${facts.validFrom} <= ${asOf}`;
  if (wasKnown === undefined) return sql`(${began} and (${held}))`;
  return sql`(${began} and ${wasKnown} and (${held} or ${wasOpen}))`;
}
