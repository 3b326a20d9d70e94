CREATE INDEX "episodes_happened" ON "episodes" (coalesce("occurred_at", "created_at"),"id") WHERE "episodes"."deleted_at" is null;
