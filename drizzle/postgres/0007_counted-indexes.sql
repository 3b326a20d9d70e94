DROP INDEX "episodes_type";
CREATE INDEX "episodes_counted" ON "episodes" ("episode_type","processed","deleted_at");
CREATE INDEX "concepts_counted" ON "concepts" ("type","deleted_at");
