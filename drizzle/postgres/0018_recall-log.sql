CREATE TABLE "recalled_items" (
	"recall_id" text COLLATE "C" NOT NULL,
	"rank" bigint NOT NULL,
	"item" text COLLATE "C" NOT NULL,
	"score" double precision,
	"is_cut" bigint NOT NULL,
	PRIMARY KEY("recall_id", "rank")
);
CREATE INDEX "recalled_items_item" ON "recalled_items" ("item","recall_id");
CREATE TABLE "recalls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" text COLLATE "C" NOT NULL,
	"way" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C",
	"session" text COLLATE "C",
	"asked_by" text COLLATE "C",
	"question" text COLLATE "C",
	"asked" text COLLATE "C",
	"given" bigint NOT NULL,
	"cut" bigint NOT NULL
);
CREATE INDEX "recalls_at" ON "recalls" ("at","id");
CREATE INDEX "recalls_session" ON "recalls" ("session","at");
