import type { JsonObject } from "../../shared/json.ts";
import type { EventKind, SUBJECT_TYPES } from "./event.table.ts";

export function listEventItems(event: NewEvent): ReadonlySet<string> {
  const items = new Set([event.subjectId, ...(event.about ?? [])]);
  // For this op `from` and `to` are types, not ids.
  if (event.payload?.op === "reshape") return items;
  for (const field of ID_FIELDS) {
    const value = event.payload?.[field];
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text === "string" && text !== "") items.add(text);
    }
  }
  return items;
}

export const ID_FIELDS = [
  "id",
  "ids",
  "old",
  "new",
  "winner",
  "loser",
  "fact_a",
  "fact_b",
  "fact_id",
  "cluster_id",
  "from",
  "to",
  "into",
  "source",
  "target",
  "concept",
  "episode",
] as const;

export interface NewEvent {
  readonly kind: EventKind;
  readonly subjectType: (typeof SUBJECT_TYPES)[number];
  readonly subjectId: string;
  readonly payload?: JsonObject;
  /** Items involved besides the subject and the ids in the payload. */
  readonly about?: readonly string[] | undefined;
  readonly author?: string | undefined;
}
