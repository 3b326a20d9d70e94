import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../shared/json.ts";
import { episodes } from "../episodes/episode.table.ts";

export const PROPOSAL_STATUSES = ["open", "accepted", "rejected"] as const;

export const proposals = sqliteTable(
  "proposals",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    status: text("status", { enum: PROPOSAL_STATUSES }).notNull(),
    content: text("content").notNull(),
    /** SHA-256 of its letters and digits, which finds repetitions. */
    wordingHash: text("wording_hash").notNull(),
    /** The other fields of the future episode, as in `remember`, and its evidence. */
    draft: text("draft", { mode: "json" }).$type<JsonObject>().notNull(),
    reason: text("reason"),
    times: integer("times").notNull(),
    createdAt: text("created_at").notNull(),
    seenAt: text("seen_at").notNull(),
    decidedAt: text("decided_at"),
    decidedBy: text("decided_by"),
    note: text("note"),
    episodeId: integer("episode_id").references(() => episodes.id),
  },
  (table) => [
    index("proposals_status").on(table.status, table.seenAt, table.id),
    index("proposals_wording").on(table.wordingHash),
    index("proposals_episode").on(table.episodeId),
    check("proposal_has_content", sql`${table.content} <> ''`),
    check("proposal_status", sql`${table.status} in ('open', 'accepted', 'rejected')`),
    check("proposal_is_decided", sql`(${table.status} = 'open') = (${table.decidedAt} is null)`),
  ],
);
