import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../kernel/json.ts";

export const EVENT_KINDS = [
  "remembered",
  "superseded",
  "conflict_opened",
  "conflict_resolved",
  "conflict_dismissed",
  "concept_created",
  "updated",
  "labeled",
  "unlabeled",
  "deleted",
  "restored",
  "processed",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const SUBJECT_TYPES = ["episode", "concept", "fact", "conflict", "entity", "topic"] as const;

/** The change feed: only ever appended to, by the transaction that it describes. */
export const events = sqliteTable(
  "events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    ts: text("ts").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    subjectType: text("subject_type", { enum: SUBJECT_TYPES }).notNull(),
    subjectId: text("subject_id").notNull(),
    payload: text("payload", { mode: "json" }).$type<JsonObject>(),
  },
  (table) => [index("events_kind").on(table.kind, table.seq)],
);
