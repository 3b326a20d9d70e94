import { type SQL, sql } from "drizzle-orm";
import { changes } from "./change.table.ts";
import { events } from "./event.table.ts";

/**
 * Selects changes with an event that meets the condition. A limited subquery: PostgreSQL would turn
 * `exists` into a join that scans all events.
 */
export function hasEvent(condition: SQL): SQL {
  return sql`(select true from ${events} where ${events.changeId} = ${changes.id} and ${condition} limit 1)`;
}
