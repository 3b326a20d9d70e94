-- 0000_tables
CREATE TABLE "concept_sources" (
	"concept_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	PRIMARY KEY("concept_id", "episode_id")
);
CREATE INDEX "concept_sources_episode" ON "concept_sources" ("episode_id");
CREATE TABLE "concepts" (
	"id" bigint PRIMARY KEY NOT NULL,
	"public_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"summary" text COLLATE "C" NOT NULL,
	"confidence" double precision NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"tags" text COLLATE "C" NOT NULL,
	"topic_id" text COLLATE "C",
	"instance_count" bigint NOT NULL,
	"merged_into" bigint,
	"split_from" bigint,
	"lineage_note" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	"updated_at" text COLLATE "C" NOT NULL,
	"deleted_at" text COLLATE "C",
	CONSTRAINT "concept_confidence" CHECK("concepts"."confidence" between 0 and 1),
	CONSTRAINT "concept_has_title" CHECK("concepts"."title" <> '')
);
CREATE UNIQUE INDEX "concepts_public_id" ON "concepts" ("public_id");
CREATE INDEX "concepts_newest" ON "concepts" ("created_at","id") WHERE "concepts"."deleted_at" is null;
CREATE INDEX "concepts_strongest" ON "concepts" ("confidence","instance_count") WHERE "concepts"."deleted_at" is null;
CREATE INDEX "concepts_deleted" ON "concepts" ("deleted_at","id") WHERE "concepts"."deleted_at" is not null;
CREATE INDEX "concepts_topic" ON "concepts" ("topic_id");
CREATE INDEX "concepts_merged_into" ON "concepts" ("merged_into");
CREATE INDEX "concepts_split_from" ON "concepts" ("split_from");
CREATE TABLE "evidence" (
	"concept_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"strength" double precision NOT NULL,
	"note" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	PRIMARY KEY("concept_id", "episode_id"),
	CONSTRAINT "evidence_strength" CHECK("evidence"."strength" between 0 and 1),
	CONSTRAINT "evidence_type" CHECK("evidence"."type" in ('supporting', 'contradicting', 'exemplifying', 'qualifying'))
);
CREATE INDEX "evidence_episode" ON "evidence" ("episode_id");
CREATE TABLE "relations" (
	"source_id" bigint NOT NULL,
	"target_id" bigint NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"strength" double precision NOT NULL,
	PRIMARY KEY("source_id", "target_id", "type"),
	CONSTRAINT "relation_strength" CHECK("relations"."strength" between 0 and 1),
	CONSTRAINT "relation_not_to_itself" CHECK("relations"."source_id" <> "relations"."target_id")
);
CREATE INDEX "relations_target" ON "relations" ("target_id","type");
CREATE TABLE "conflicts" (
	"id" bigint PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"severity" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C",
	"fact_a" bigint NOT NULL,
	"fact_b" bigint NOT NULL,
	"pair" text COLLATE "C" NOT NULL,
	"winner" bigint,
	"note" text COLLATE "C",
	"resolved_by" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	"resolved_at" text COLLATE "C",
	CONSTRAINT "conflict_of_two" CHECK("conflicts"."fact_a" <> "conflicts"."fact_b"),
	CONSTRAINT "conflict_status" CHECK("conflicts"."status" in ('open', 'resolved', 'dismissed')),
	CONSTRAINT "conflict_severity" CHECK("conflicts"."severity" in ('low', 'medium', 'high')),
	CONSTRAINT "conflict_kind" CHECK("conflicts"."kind" in ('fact', 'concept'))
);
CREATE UNIQUE INDEX "conflicts_one_open_for_a_pair" ON "conflicts" ("pair") WHERE "conflicts"."status" = 'open';
CREATE INDEX "conflicts_status" ON "conflicts" ("status","id");
CREATE INDEX "conflicts_fact_a" ON "conflicts" ("fact_a");
CREATE INDEX "conflicts_fact_b" ON "conflicts" ("fact_b");
CREATE TABLE "entities" (
	"id" bigint PRIMARY KEY NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX "entities_identity" ON "entities" ("type","key");
CREATE INDEX "entities_key" ON "entities" ("key");
CREATE TABLE "entity_relations" (
	"source_id" bigint NOT NULL,
	"target_id" bigint NOT NULL,
	"relation" text COLLATE "C" NOT NULL,
	"strength" double precision NOT NULL,
	"context" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	PRIMARY KEY("source_id", "target_id", "relation"),
	CONSTRAINT "entity_relation_strength" CHECK("entity_relations"."strength" between 0 and 1),
	CONSTRAINT "entity_relation_not_to_itself" CHECK("entity_relations"."source_id" <> "entity_relations"."target_id")
);
CREATE INDEX "entity_relations_target" ON "entity_relations" ("target_id");
CREATE TABLE "episode_entities" (
	"episode_id" bigint NOT NULL,
	"entity_id" bigint NOT NULL,
	"position" bigint NOT NULL,
	PRIMARY KEY("episode_id", "entity_id")
);
CREATE INDEX "episode_entities_entity" ON "episode_entities" ("entity_id","episode_id");
CREATE TABLE "episode_links" (
	"episode_id" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"target_id" bigint NOT NULL,
	"position" bigint NOT NULL,
	PRIMARY KEY("episode_id", "kind", "target_id"),
	CONSTRAINT "episode_link_kind" CHECK("episode_links"."kind" in ('spec', 'depends_on'))
);
CREATE INDEX "episode_links_target" ON "episode_links" ("target_id");
CREATE TABLE "episodes" (
	"id" bigint PRIMARY KEY NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"episode_type" text COLLATE "C" NOT NULL,
	"metadata" text COLLATE "C",
	"source_type" text COLLATE "C",
	"asserted_by" text COLLATE "C",
	"source_ref" text COLLATE "C",
	"session" text COLLATE "C",
	"occurred_at" text COLLATE "C",
	"plan_id" bigint,
	"priority" text COLLATE "C",
	"topic_id" text COLLATE "C",
	"processed" bigint DEFAULT 0 NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"updated_at" text COLLATE "C" NOT NULL,
	"deleted_at" text COLLATE "C",
	CONSTRAINT "episode_has_content" CHECK("episodes"."content" <> ''),
	CONSTRAINT "episode_priority" CHECK("episodes"."priority" in ('p0', 'p1', 'p2'))
);
CREATE INDEX "episodes_newest" ON "episodes" ("created_at","id") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "episodes_deleted" ON "episodes" ("deleted_at","id") WHERE "episodes"."deleted_at" is not null;
CREATE INDEX "episodes_session" ON "episodes" ("session","id");
CREATE INDEX "episodes_topic" ON "episodes" ("topic_id");
CREATE INDEX "episodes_type" ON "episodes" ("episode_type");
CREATE INDEX "episodes_plan" ON "episodes" ("plan_id");
CREATE INDEX "episodes_pending" ON "episodes" ("id") WHERE "episodes"."processed" = 0 and "episodes"."deleted_at" is null;
CREATE TABLE "events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"ts" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject_type" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C"
);
CREATE INDEX "events_kind" ON "events" ("kind","seq");
CREATE TABLE "cluster_entities" (
	"cluster_id" bigint NOT NULL,
	"entity_id" bigint NOT NULL,
	"smallest" bigint NOT NULL,
	PRIMARY KEY("cluster_id", "entity_id")
);
CREATE INDEX "cluster_entities_entity" ON "cluster_entities" ("entity_id","smallest");
CREATE TABLE "facts" (
	"id" bigint PRIMARY KEY NOT NULL,
	"episode_id" bigint NOT NULL,
	"cluster_id" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"statement_hash" text COLLATE "C" NOT NULL,
	"entity_key" text COLLATE "C" NOT NULL,
	"valid_from" text COLLATE "C" NOT NULL,
	"valid_to" text COLLATE "C",
	"superseded_by" bigint,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "fact_status" CHECK("facts"."status" in ('active', 'superseded')),
	CONSTRAINT "fact_superseded_is_closed" CHECK(("facts"."status" = 'superseded') = ("facts"."valid_to" is not null))
);
CREATE UNIQUE INDEX "facts_episode" ON "facts" ("episode_id");
CREATE INDEX "facts_cluster" ON "facts" ("cluster_id","status");
CREATE INDEX "facts_entities" ON "facts" ("entity_key","status");
CREATE INDEX "facts_statement" ON "facts" ("statement_hash");
CREATE INDEX "facts_superseded_by" ON "facts" ("superseded_by");
CREATE TABLE "concept_labels" (
	"concept_id" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	PRIMARY KEY("concept_id", "key", "value")
);
CREATE INDEX "concept_labels_pair" ON "concept_labels" ("key","value","concept_id");
CREATE TABLE "episode_labels" (
	"episode_id" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	PRIMARY KEY("episode_id", "key", "value")
);
CREATE INDEX "episode_labels_pair" ON "episode_labels" ("key","value","episode_id");
CREATE TABLE "idempotency_keys" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"request_hash" text COLLATE "C" NOT NULL,
	"response" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL
);
CREATE TABLE "meta" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
CREATE TABLE "pending_vectors" (
	"kind" text COLLATE "C" NOT NULL,
	"item_id" bigint NOT NULL,
	"revision" bigint NOT NULL,
	PRIMARY KEY("kind", "item_id"),
	CONSTRAINT "pending_vector_kind" CHECK("pending_vectors"."kind" in ('episode', 'concept'))
);
CREATE INDEX "pending_vectors_order" ON "pending_vectors" ("item_id");
CREATE TABLE "vectors" (
	"kind" text COLLATE "C" NOT NULL,
	"item_id" bigint NOT NULL,
	"vector" bytea NOT NULL,
	PRIMARY KEY("kind", "item_id"),
	CONSTRAINT "vector_kind" CHECK("vectors"."kind" in ('episode', 'concept'))
);
CREATE TABLE "topics" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"updated_at" text COLLATE "C" NOT NULL
);
ALTER TABLE "concept_sources" ADD FOREIGN KEY ("concept_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "concept_sources" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "concepts" ADD FOREIGN KEY ("topic_id") REFERENCES "topics"("id") DEFERRABLE;
ALTER TABLE "concepts" ADD FOREIGN KEY ("merged_into") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "concepts" ADD FOREIGN KEY ("split_from") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "evidence" ADD FOREIGN KEY ("concept_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "evidence" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "relations" ADD FOREIGN KEY ("source_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "relations" ADD FOREIGN KEY ("target_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "conflicts" ADD FOREIGN KEY ("fact_a") REFERENCES "facts"("id") DEFERRABLE;
ALTER TABLE "conflicts" ADD FOREIGN KEY ("fact_b") REFERENCES "facts"("id") DEFERRABLE;
ALTER TABLE "conflicts" ADD FOREIGN KEY ("winner") REFERENCES "facts"("id") DEFERRABLE;
ALTER TABLE "entity_relations" ADD FOREIGN KEY ("source_id") REFERENCES "entities"("id") DEFERRABLE;
ALTER TABLE "entity_relations" ADD FOREIGN KEY ("target_id") REFERENCES "entities"("id") DEFERRABLE;
ALTER TABLE "episode_entities" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "episode_entities" ADD FOREIGN KEY ("entity_id") REFERENCES "entities"("id") DEFERRABLE;
ALTER TABLE "episode_links" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "episode_links" ADD FOREIGN KEY ("target_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "episodes" ADD FOREIGN KEY ("plan_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "episodes" ADD FOREIGN KEY ("topic_id") REFERENCES "topics"("id") DEFERRABLE;
ALTER TABLE "cluster_entities" ADD FOREIGN KEY ("cluster_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "cluster_entities" ADD FOREIGN KEY ("entity_id") REFERENCES "entities"("id") DEFERRABLE;
ALTER TABLE "facts" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;
ALTER TABLE "facts" ADD FOREIGN KEY ("cluster_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "facts" ADD FOREIGN KEY ("superseded_by") REFERENCES "facts"("id") DEFERRABLE;
ALTER TABLE "concept_labels" ADD FOREIGN KEY ("concept_id") REFERENCES "concepts"("id") DEFERRABLE;
ALTER TABLE "episode_labels" ADD FOREIGN KEY ("episode_id") REFERENCES "episodes"("id") DEFERRABLE;

-- 0001_functions
-- The highest number that a row which is gone had: no new row gets it.
CREATE TABLE used_numbers (
	table_name text COLLATE "C" PRIMARY KEY,
	number bigint NOT NULL
);

CREATE FUNCTION keep_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO used_numbers(table_name, number) VALUES (tg_table_name, (to_json(old) ->> tg_argv[0])::bigint)
	ON CONFLICT (table_name) DO UPDATE SET number = greatest(used_numbers.number, excluded.number);
	RETURN NULL;
END $$;

CREATE TRIGGER keep_number AFTER DELETE ON episodes FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON concepts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON entities FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON facts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON conflicts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_number('seq');

-- Values within the images of rows, written as SQLite writes them.
CREATE FUNCTION image_of(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(replace(to_json(value)::text, U&'\+10FFFF' || '0', '\u0000'), 'null')
$$;

CREATE FUNCTION image_of(value bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(value::text, 'null')
$$;

CREATE FUNCTION image_of(value double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(regexp_replace(value::text, '^(-?[0-9]+)(e.*)?$', '\1.0\2'), 'null')
$$;

-- As SQLite has it.
CREATE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT value IS JSON
$$;

-- A member of an object or an item of a list, as text. NUL, which text cannot hold, is a question mark.
CREATE FUNCTION json_part(document text, VARIADIC path text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN document IS JSON
		THEN regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u0000', '\1?', 'g')::json #>> path END
$$;

-- 0001_words
-- Full text: for each word the items that hold it, with what BM25 asks of them.
CREATE TABLE text_words_episode (
	word text COLLATE "C" NOT NULL,
	number bigint NOT NULL,
	weight integer NOT NULL,
	length integer NOT NULL,
	PRIMARY KEY (word, number) INCLUDE (weight, length)
);
CREATE TABLE text_words_concept (LIKE text_words_episode INCLUDING ALL);

-- The items that the index holds: one is taken out by its own words.
CREATE TABLE text_items_episode (
	number bigint PRIMARY KEY,
	length integer NOT NULL,
	words text[] NOT NULL
);
CREATE TABLE text_items_concept (LIKE text_items_episode INCLUDING ALL);

-- How many items and words the index of a kind holds.
CREATE TABLE text_totals (
	kind text COLLATE "C" PRIMARY KEY,
	items bigint NOT NULL,
	words bigint NOT NULL
);

-- 0002_changes
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

-- 0003_happened-index
CREATE INDEX "episodes_happened" ON "episodes" (coalesce("occurred_at", "created_at"),"id") WHERE "episodes"."deleted_at" is null;

-- 0004_listing-indexes
DROP INDEX "episodes_happened";
CREATE INDEX "episodes_updated" ON "episodes" ("updated_at","id") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "episodes_author" ON "episodes" ("asserted_by","session","topic_id") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "episodes_happened" ON "episodes" (coalesce("occurred_at", "created_at"),"id","episode_type","asserted_by") WHERE "episodes"."deleted_at" is null;
CREATE INDEX "facts_held" ON "facts" ("valid_from","id");

-- 0005_token-signs
DROP INDEX "pending_vectors_order";
ALTER TABLE "pending_vectors" ADD "can_wait" bigint DEFAULT 0 NOT NULL;
CREATE INDEX "pending_vectors_order" ON "pending_vectors" ("can_wait","item_id");
ALTER TABLE "vectors" ADD "tokens" bytea;

-- 0006_folded-texts


-- 0007_counted-indexes
DROP INDEX "episodes_type";
CREATE INDEX "episodes_counted" ON "episodes" ("episode_type","processed","deleted_at");
CREATE INDEX "concepts_counted" ON "concepts" ("type","deleted_at");

-- 0008_totals
CREATE TABLE "totals" (
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"part" text COLLATE "C" NOT NULL,
	"total" bigint NOT NULL,
	PRIMARY KEY("kind", "name", "part")
);

-- 0009_emoji-words
-- Emoji are words from here on: texts that are there are indexed anew, behind other work.
INSERT INTO "meta" ("key", "value")
	SELECT 'texts_refreshed', '{"episode":0,"concept":0}'
	WHERE EXISTS (SELECT 1 FROM "episodes") OR EXISTS (SELECT 1 FROM "concepts")
	ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value";

-- 0010_passages
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

-- 0011_passage-index
-- The text index of passages, and a further kind in two checks.
CREATE TABLE text_words_passage (LIKE text_words_episode INCLUDING ALL);
CREATE TABLE text_items_passage (LIKE text_items_episode INCLUDING ALL);
ALTER TABLE "pending_vectors" DROP CONSTRAINT "pending_vector_kind";
ALTER TABLE "pending_vectors" ADD CONSTRAINT "pending_vector_kind" CHECK("pending_vectors"."kind" in ('episode', 'concept', 'passage'));
ALTER TABLE "vectors" DROP CONSTRAINT "vector_kind";
ALTER TABLE "vectors" ADD CONSTRAINT "vector_kind" CHECK("vectors"."kind" in ('episode', 'concept', 'passage'));

-- 0012_change-of-answer
ALTER TABLE "idempotency_keys" ADD "change_id" bigint;

-- 0013_superseded-at
ALTER TABLE "facts" ADD "superseded_at" text COLLATE "C";

-- 0014_standing-instructions
-- What gives standing instructions is indexed as such from here on: texts that are there are indexed
-- anew, behind other work.
INSERT INTO "meta" ("key", "value")
	SELECT 'texts_refreshed', '{"episode":0}'
	WHERE EXISTS (SELECT 1 FROM "episodes")
	ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value";

-- 0015_proposals
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

-- 0016_source-ref
CREATE INDEX "episodes_source_ref" ON "episodes" ("source_ref") WHERE "episodes"."source_ref" is not null;

-- 0016_used-numbers
-- Sources, passages and proposals that are gone keep their numbers too.
CREATE TRIGGER keep_number AFTER DELETE ON sources FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON passages FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON proposals FOR EACH ROW EXECUTE FUNCTION keep_number('id');

INSERT INTO used_numbers(table_name, number)
SELECT table_name, max((row_key::json ->> 0)::bigint) FROM row_changes
WHERE table_name IN ('sources', 'passages', 'proposals') GROUP BY table_name
ON CONFLICT (table_name) DO UPDATE SET number = greatest(used_numbers.number, excluded.number);

-- 0018_recall-log
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

-- 0019_feed-indexes
DROP INDEX "episodes_pending";
CREATE INDEX "episodes_pending" ON "episodes" ("id") WHERE "episodes"."processed" = 0;
CREATE INDEX "changes_at" ON "changes" ("ts","id");
CREATE INDEX "changes_author" ON "changes" ("author","id");
CREATE INDEX "changes_session" ON "changes" ("session","id") WHERE "changes"."session" is not null;
