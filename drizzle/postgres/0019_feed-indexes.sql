DROP INDEX "episodes_pending";
CREATE INDEX "episodes_pending" ON "episodes" ("id") WHERE "episodes"."processed" = 0;
CREATE INDEX "changes_at" ON "changes" ("ts","id");
CREATE INDEX "changes_author" ON "changes" ("author","id");
CREATE INDEX "changes_session" ON "changes" ("session","id") WHERE "changes"."session" is not null;
