import { PAST_WORD } from "./create-past.ts";
import type { Outcome } from "./surface.ts";

/** Operations that may reveal removed records: the bin, its size, and empty clusters. */
const MAY_TELL: ReadonlySet<string> = new Set([
  "stats",
  "snapshot",
  "graph",
  "list_concepts",
  "list_deleted",
  "list_deleted_episodes",
  "list_deleted_concepts",
]);
const COUNTS: ReadonlySet<string> = new Set([
  "total",
  "deleted",
  "limit",
  "next_cursor",
  "fact_cluster",
]);

/** Removes records and counts of the past from a result. */
export function removePast(operation: string, outcome: Outcome): Outcome {
  if (!MAY_TELL.has(operation)) return outcome;
  return JSON.parse(JSON.stringify(outcome), (key, value: unknown) => {
    if (COUNTS.has(key)) return undefined;
    return Array.isArray(value) ? value.filter((one) => !isOfPast(one)) : value;
  });
}

/** Deleted before the scenario, purged, or an empty fact cluster. */
function isOfPast(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { id, title, type, instance_count: facts } = item as Readonly<Record<string, unknown>>;
  if (typeof id === "string" && /:(?:0|-\d+)$/.test(id)) return true;
  if (type === "fact_cluster" && facts === 0) return true;
  return typeof title === "string" && (title === "[purged]" || title.includes(PAST_WORD));
}
