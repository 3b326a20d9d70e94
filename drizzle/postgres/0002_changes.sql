CREATE TABLE "event_items" (
	"item" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	PRIMARY KEY("item", "seq")
);
CREATE TABLE "changes" (
	"id" bigint PRIMARY KEY NOT NULL,
	"ts" text COLLATE "C" NOT NULL,
	"author" text COLLATE "C" NOT NULL,
	"surface" text COLLATE "C" NOT NULL,
	"session" text COLLATE "C",
	"operation" text COLLATE "C" NOT NULL,
	"undo_of" text COLLATE "C",
	"undone_by" bigint
);
CREATE TABLE "purged_items" (
	"item" text COLLATE "C" PRIMARY KEY NOT NULL,
	"ts" text COLLATE "C" NOT NULL
);
CREATE TABLE "row_changes" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"change_id" bigint NOT NULL,
	"table_name" text COLLATE "C" NOT NULL,
	"row_key" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"before" text COLLATE "C",
	"after" text COLLATE "C",
	"purged" bigint DEFAULT 0 NOT NULL
);
CREATE INDEX "row_changes_change" ON "row_changes" ("change_id");
CREATE INDEX "row_changes_row" ON "row_changes" ("table_name","row_key","change_id");
ALTER TABLE "events" ADD "change_id" bigint;
CREATE INDEX "events_change" ON "events" ("change_id");
