CREATE TABLE "proposals" (
	"id" bigint PRIMARY KEY NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"wording_hash" text COLLATE "C" NOT NULL,
	"draft" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"times" bigint NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"seen_at" text COLLATE "C" NOT NULL,
	"decided_at" text COLLATE "C",
	"decided_by" text COLLATE "C",
	"note" text COLLATE "C",
	"episode_id" bigint,
	CONSTRAINT "proposal_has_content" CHECK("proposals"."content" <> ''),
	CONSTRAINT "proposal_status" CHECK("proposals"."status" in ('open', 'accepted', 'rejected')),
	CONSTRAINT "proposal_is_decided" CHECK(("proposals"."status" = 'open') = ("proposals"."decided_at" is null))
);
CREATE INDEX "proposals_status" ON "proposals" ("status","seen_at","id");
CREATE INDEX "proposals_wording" ON "proposals" ("wording_hash");
CREATE INDEX "proposals_episode" ON "proposals" ("episode_id");
ALTER TABLE "proposals" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
