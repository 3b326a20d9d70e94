import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * How many rows there are of each kind, so that nobody counts them: the database itself keeps the
 * numbers with every write. They follow from the rows and are made anew where they are wrong.
 */
export const totals = sqliteTable(
  "totals",
  {
    kind: text("kind").notNull(),
    name: text("name").notNull(),
    part: text("part").notNull(),
    total: integer("total").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.name, table.part] })],
);
