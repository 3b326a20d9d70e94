import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../shared/json.ts";

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
  "source_read",
  "learned",
  "proposed",
  "accepted",
  "rejected",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const SUBJECT_TYPES = [
  "episode",
  "concept",
  "fact",
  "conflict",
  "entity",
  "topic",
  "source",
  "passage",
  "proposal",
] as const;

export const events = sqliteTable(
  "events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    ts: text("ts").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    subjectType: text("subject_type", { enum: SUBJECT_TYPES }).notNull(),
    subjectId: text("subject_id").notNull(),
    payload: text("payload", { mode: "json" }).$type<JsonObject>(),
    changeId: integer("change_id"),
  },
  (table) => [
    index("events_kind").on(table.kind, table.seq),
    index("events_change").on(table.changeId),
  ],
);

export const eventItems = sqliteTable(
  "event_items",
  {
    item: text("item").notNull(),
    seq: integer("seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.item, table.seq] })],
);
