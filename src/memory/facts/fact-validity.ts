import { type SQL, sql } from "drizzle-orm";
import { facts } from "./fact.table.ts";

/** Time at which the fact was recorded as superseded; before 0.2 stored as `valid_to`. */
export const SUPERSEDED_AT = sql`coalesce(${facts.supersededAt}, ${facts.validTo})`;

export interface QueriedTimes {
  /** SQL expression of a timestamp: selects facts valid then. */
  readonly asOf?: SQL | undefined;
  /** SQL expression of a timestamp: ignores anything recorded later. */
  readonly knownAt?: SQL | undefined;
}

/**
 * SQL condition on `facts`. Without times: valid now. `asOf`: valid then, as known now. `knownAt`:
 * believed valid then. Both: believed at `knownAt` to be valid at `asOf`.
 */
export function factWasValid({ asOf, knownAt }: QueriedTimes): SQL {
  if (asOf === undefined && knownAt === undefined) return sql`${facts.status} = 'active'`;
  const wasKnown = knownAt && sql`${facts.createdAt} <= ${knownAt}`;
  const wasOpen = knownAt && sql`(${facts.status} = 'active' or ${SUPERSEDED_AT} > ${knownAt})`;
  if (asOf === undefined) return sql`(${wasKnown} and ${wasOpen})`;
  const stored = sql`${facts.validTo} is null or ${facts.validTo} > ${asOf}`;
  const began = sql`${facts.validFrom} <= ${asOf}`;
  if (wasKnown === undefined) return sql`(${began} and (${stored}))`;
  return sql`(${began} and ${wasKnown} and (${stored} or ${wasOpen}))`;
}
