import type { JsonObject } from "../../shared/json.ts";
import type { EventKind, SUBJECT_TYPES } from "./event.table.ts";

/** An event before it has its number. */
export interface NewEvent {
  readonly kind: EventKind;
  readonly subjectType: (typeof SUBJECT_TYPES)[number];
  readonly subjectId: string;
  readonly payload?: JsonObject;
  /** Items that have a part in it beside the subject and the ids in the payload. */
  readonly about?: readonly string[] | undefined;
  readonly author?: string | undefined;
}
