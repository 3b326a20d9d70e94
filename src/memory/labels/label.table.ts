import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { concepts } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";

export const episodeLabels = sqliteTable(
  "episode_labels",
  {
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id),
    key: text("key").notNull(),
    value: text("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.episodeId, table.key, table.value] }),
    index("episode_labels_pair").on(table.key, table.value, table.episodeId),
  ],
);

export const conceptLabels = sqliteTable(
  "concept_labels",
  {
    conceptId: integer("concept_id")
      .notNull()
      .references(() => concepts.id),
    key: text("key").notNull(),
    value: text("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conceptId, table.key, table.value] }),
    index("concept_labels_pair").on(table.key, table.value, table.conceptId),
  ],
);
