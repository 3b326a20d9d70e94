CREATE TABLE "totals" (
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"part" text COLLATE "C" NOT NULL,
	"total" bigint NOT NULL,
	PRIMARY KEY("kind", "name", "part")
);
