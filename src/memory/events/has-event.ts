import { type SQL, sql } from "drizzle-orm";
import { changes } from "./change.table.ts";
import { events } from "./event.table.ts";

/**
 * The change has an event of which the condition is true. Of `exists` PostgreSQL makes a join for which it
 * looks at all events, where this looks at those of one change after the other.
 */
export function hasEvent(condition: SQL): SQL {
  return sql`(select true from ${events} where ${events.changeId} = ${changes.id} and ${condition} limit 1)`;
}
