DROP INDEX "episodes_happened";
CREATE INDEX "episodes_updated" ON "episodes" ("updated_at","id") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "episodes_author" ON "episodes" ("asserted_by","session","topic_id") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "episodes_happened" ON "episodes" (coalesce("occurred_at", "created_at"),"id","episode_type","asserted_by") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "facts_held" ON "facts" ("valid_from","id");
