CREATE TABLE "passages" (
	"id" bigint PRIMARY KEY NOT NULL,
	"source_id" bigint NOT NULL,
	"segment" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"asserted_by" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"files" text COLLATE "C" NOT NULL,
	"branch" text COLLATE "C",
	"reverts" text COLLATE "C",
	"occurred_at" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"deleted_at" text COLLATE "C",
	CONSTRAINT "passage_has_content" CHECK("passages"."content" <> '')
);
CREATE UNIQUE INDEX "passages_key" ON "passages" ("source_id","key");
CREATE INDEX "passages_source" ON "passages" ("source_id","segment","id");
CREATE INDEX "passages_happened" ON "passages" ("occurred_at","id");
CREATE TABLE "sources" (
	"id" bigint PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"place" text COLLATE "C",
	"mark" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	"updated_at" text COLLATE "C" NOT NULL,
	"deleted_at" text COLLATE "C"
);
CREATE UNIQUE INDEX "sources_key" ON "sources" ("kind","key");
CREATE INDEX "sources_newest" ON "sources" ("updated_at","id");
ALTER TABLE "passages" ADD FOREIGN KEY ("source_id") REFERENCES "sources"("id") DEFERRABLE;
