import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { facts } from "../facts/fact.table.ts";

export const CONFLICT_STATUSES = ["open", "resolved", "dismissed"] as const;
export const CONFLICT_KINDS = ["fact", "concept"] as const;
export const SEVERITIES = ["low", "medium", "high"] as const;

export const conflicts = sqliteTable(
  "conflicts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: CONFLICT_KINDS }).notNull(),
    status: text("status", { enum: CONFLICT_STATUSES }).notNull(),
    severity: text("severity", { enum: SEVERITIES }).notNull(),
    description: text("description"),
    factA: integer("fact_a")
      .notNull()
      .references(() => facts.id),
    factB: integer("fact_b")
      .notNull()
      .references(() => facts.id),
    /** Both fact numbers, the smaller first: equal for (a, b) and (b, a). */
    pair: text("pair").notNull(),
    winner: integer("winner").references(() => facts.id),
    note: text("note"),
    resolvedBy: text("resolved_by"),
    createdAt: text("created_at").notNull(),
    resolvedAt: text("resolved_at"),
  },
  (table) => [
    uniqueIndex("conflicts_one_open_for_a_pair")
      .on(table.pair)
      .where(sql`${table.status} = 'open'`),
    index("conflicts_status").on(table.status, table.id),
    index("conflicts_fact_a").on(table.factA),
    index("conflicts_fact_b").on(table.factB),
    check("conflict_of_two", sql`${table.factA} <> ${table.factB}`),
    check("conflict_status", sql`${table.status} in ('open', 'resolved', 'dismissed')`),
    check("conflict_severity", sql`${table.severity} in ('low', 'medium', 'high')`),
    check("conflict_kind", sql`${table.kind} in ('fact', 'concept')`),
  ],
);
