CREATE TABLE `concept_sources` (
	`concept_id` integer NOT NULL,
	`episode_id` integer NOT NULL,
	PRIMARY KEY(`concept_id`, `episode_id`),
	FOREIGN KEY (`concept_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `concept_sources_episode` ON `concept_sources` (`episode_id`);
--> statement-breakpoint
CREATE TABLE `concepts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`confidence` real NOT NULL,
	`type` text NOT NULL,
	`tags` text NOT NULL,
	`topic_id` text,
	`instance_count` integer NOT NULL,
	`merged_into` integer,
	`split_from` integer,
	`lineage_note` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`topic_id`) REFERENCES `topics`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`merged_into`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`split_from`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "concept_confidence" CHECK("concepts"."confidence" between 0 and 1),
	CONSTRAINT "concept_has_title" CHECK("concepts"."title" <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `concepts_public_id` ON `concepts` (`public_id`);
--> statement-breakpoint
CREATE INDEX `concepts_newest` ON `concepts` (`created_at`,`id`) WHERE "concepts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `concepts_strongest` ON `concepts` (`confidence`,`instance_count`) WHERE "concepts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `concepts_deleted` ON `concepts` (`deleted_at`,`id`) WHERE "concepts"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX `concepts_topic` ON `concepts` (`topic_id`);
--> statement-breakpoint
CREATE INDEX `concepts_merged_into` ON `concepts` (`merged_into`);
--> statement-breakpoint
CREATE INDEX `concepts_split_from` ON `concepts` (`split_from`);
--> statement-breakpoint
CREATE TABLE `evidence` (
	`concept_id` integer NOT NULL,
	`episode_id` integer NOT NULL,
	`type` text NOT NULL,
	`strength` real NOT NULL,
	`note` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`concept_id`, `episode_id`),
	FOREIGN KEY (`concept_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "evidence_strength" CHECK("evidence"."strength" between 0 and 1),
	CONSTRAINT "evidence_type" CHECK("evidence"."type" in ('supporting', 'contradicting', 'exemplifying', 'qualifying'))
);
--> statement-breakpoint
CREATE INDEX `evidence_episode` ON `evidence` (`episode_id`);
--> statement-breakpoint
CREATE TABLE `relations` (
	`source_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`type` text NOT NULL,
	`strength` real NOT NULL,
	PRIMARY KEY(`source_id`, `target_id`, `type`),
	FOREIGN KEY (`source_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "relation_strength" CHECK("relations"."strength" between 0 and 1),
	CONSTRAINT "relation_not_to_itself" CHECK("relations"."source_id" <> "relations"."target_id")
);
--> statement-breakpoint
CREATE INDEX `relations_target` ON `relations` (`target_id`,`type`);
--> statement-breakpoint
CREATE TABLE `conflicts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`severity` text NOT NULL,
	`description` text,
	`fact_a` integer NOT NULL,
	`fact_b` integer NOT NULL,
	`pair` text NOT NULL,
	`winner` integer,
	`note` text,
	`resolved_by` text,
	`created_at` text NOT NULL,
	`resolved_at` text,
	FOREIGN KEY (`fact_a`) REFERENCES `facts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`fact_b`) REFERENCES `facts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`winner`) REFERENCES `facts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "conflict_of_two" CHECK("conflicts"."fact_a" <> "conflicts"."fact_b"),
	CONSTRAINT "conflict_status" CHECK("conflicts"."status" in ('open', 'resolved', 'dismissed')),
	CONSTRAINT "conflict_severity" CHECK("conflicts"."severity" in ('low', 'medium', 'high')),
	CONSTRAINT "conflict_kind" CHECK("conflicts"."kind" in ('fact', 'concept'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conflicts_one_open_for_a_pair` ON `conflicts` (`pair`) WHERE "conflicts"."status" = 'open';
--> statement-breakpoint
CREATE INDEX `conflicts_status` ON `conflicts` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `conflicts_fact_a` ON `conflicts` (`fact_a`);
--> statement-breakpoint
CREATE INDEX `conflicts_fact_b` ON `conflicts` (`fact_b`);
--> statement-breakpoint
CREATE TABLE `entities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entities_identity` ON `entities` (`type`,`key`);
--> statement-breakpoint
CREATE INDEX `entities_key` ON `entities` (`key`);
--> statement-breakpoint
CREATE TABLE `entity_relations` (
	`source_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`relation` text NOT NULL,
	`strength` real NOT NULL,
	`context` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`source_id`, `target_id`, `relation`),
	FOREIGN KEY (`source_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "entity_relation_strength" CHECK("entity_relations"."strength" between 0 and 1),
	CONSTRAINT "entity_relation_not_to_itself" CHECK("entity_relations"."source_id" <> "entity_relations"."target_id")
);
--> statement-breakpoint
CREATE INDEX `entity_relations_target` ON `entity_relations` (`target_id`);
--> statement-breakpoint
CREATE TABLE `episode_entities` (
	`episode_id` integer NOT NULL,
	`entity_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`episode_id`, `entity_id`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`entity_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `episode_entities_entity` ON `episode_entities` (`entity_id`,`episode_id`);
--> statement-breakpoint
CREATE TABLE `episode_links` (
	`episode_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`episode_id`, `kind`, `target_id`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "episode_link_kind" CHECK("episode_links"."kind" in ('spec', 'depends_on'))
);
--> statement-breakpoint
CREATE INDEX `episode_links_target` ON `episode_links` (`target_id`);
--> statement-breakpoint
CREATE TABLE `episodes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content` text NOT NULL,
	`episode_type` text NOT NULL,
	`metadata` text,
	`source_type` text,
	`asserted_by` text,
	`source_ref` text,
	`session` text,
	`occurred_at` text,
	`plan_id` integer,
	`priority` text,
	`topic_id` text,
	`processed` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`plan_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `topics`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "episode_has_content" CHECK("episodes"."content" <> ''),
	CONSTRAINT "episode_priority" CHECK("episodes"."priority" in ('p0', 'p1', 'p2'))
);
--> statement-breakpoint
CREATE INDEX `episodes_newest` ON `episodes` (`created_at`,`id`) WHERE "episodes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `episodes_deleted` ON `episodes` (`deleted_at`,`id`) WHERE "episodes"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX `episodes_session` ON `episodes` (`session`,`id`);
--> statement-breakpoint
CREATE INDEX `episodes_topic` ON `episodes` (`topic_id`);
--> statement-breakpoint
CREATE INDEX `episodes_plan` ON `episodes` (`plan_id`);
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ts` text NOT NULL,
	`kind` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`payload` text
, `change_id` integer);
--> statement-breakpoint
CREATE INDEX `events_kind` ON `events` (`kind`,`seq`);
--> statement-breakpoint
CREATE TABLE `cluster_entities` (
	`cluster_id` integer NOT NULL,
	`entity_id` integer NOT NULL,
	`smallest` integer NOT NULL,
	PRIMARY KEY(`cluster_id`, `entity_id`),
	FOREIGN KEY (`cluster_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`entity_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `cluster_entities_entity` ON `cluster_entities` (`entity_id`,`smallest`);
--> statement-breakpoint
CREATE TABLE `facts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`episode_id` integer NOT NULL,
	`cluster_id` integer NOT NULL,
	`status` text NOT NULL,
	`statement_hash` text NOT NULL,
	`entity_key` text NOT NULL,
	`valid_from` text NOT NULL,
	`valid_to` text,
	`superseded_by` integer,
	`created_at` text NOT NULL, `superseded_at` text,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cluster_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`superseded_by`) REFERENCES `facts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "fact_status" CHECK("facts"."status" in ('active', 'superseded')),
	CONSTRAINT "fact_superseded_is_closed" CHECK(("facts"."status" = 'superseded') = ("facts"."valid_to" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `facts_episode` ON `facts` (`episode_id`);
--> statement-breakpoint
CREATE INDEX `facts_cluster` ON `facts` (`cluster_id`,`status`);
--> statement-breakpoint
CREATE INDEX `facts_entities` ON `facts` (`entity_key`,`status`);
--> statement-breakpoint
CREATE INDEX `facts_statement` ON `facts` (`statement_hash`);
--> statement-breakpoint
CREATE INDEX `facts_superseded_by` ON `facts` (`superseded_by`);
--> statement-breakpoint
CREATE TABLE `concept_labels` (
	`concept_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`concept_id`, `key`, `value`),
	FOREIGN KEY (`concept_id`) REFERENCES `concepts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `concept_labels_pair` ON `concept_labels` (`key`,`value`,`concept_id`);
--> statement-breakpoint
CREATE TABLE `episode_labels` (
	`episode_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`episode_id`, `key`, `value`),
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `episode_labels_pair` ON `episode_labels` (`key`,`value`,`episode_id`);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`operation` text NOT NULL,
	`request_hash` text NOT NULL,
	`response` text NOT NULL,
	`created_at` text NOT NULL
, `change_id` integer);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pending_vectors` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`revision` integer NOT NULL, `can_wait` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`kind`, `item_id`),
	CONSTRAINT "pending_vector_kind" CHECK("pending_vectors"."kind" in ('episode', 'concept', 'passage'))
);
--> statement-breakpoint
CREATE TABLE `vectors` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`vector` blob NOT NULL, `tokens` blob,
	PRIMARY KEY(`kind`, `item_id`),
	CONSTRAINT "vector_kind" CHECK("vectors"."kind" in ('episode', 'concept', 'passage'))
);
--> statement-breakpoint
CREATE TABLE `topics` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `episode_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `concept_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TABLE `event_items` (
	`item` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`item`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `changes` (
	`id` integer PRIMARY KEY NOT NULL,
	`ts` text NOT NULL,
	`author` text NOT NULL,
	`surface` text NOT NULL,
	`session` text,
	`operation` text NOT NULL,
	`undo_of` text,
	`undone_by` integer
);
--> statement-breakpoint
CREATE TABLE `purged_items` (
	`item` text PRIMARY KEY NOT NULL,
	`ts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `row_changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`change_id` integer NOT NULL,
	`table_name` text NOT NULL,
	`row_key` text NOT NULL,
	`action` text NOT NULL,
	`before` text,
	`after` text,
	`purged` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `row_changes_change` ON `row_changes` (`change_id`);
--> statement-breakpoint
CREATE INDEX `row_changes_row` ON `row_changes` (`table_name`,`row_key`,`change_id`);
--> statement-breakpoint
CREATE INDEX `events_change` ON `events` (`change_id`);
--> statement-breakpoint
CREATE INDEX `episodes_updated` ON `episodes` (`updated_at`,`id`) WHERE "episodes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `episodes_author` ON `episodes` (`asserted_by`,`session`,`topic_id`) WHERE "episodes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `episodes_happened` ON `episodes` (coalesce("occurred_at", "created_at"),`id`,`episode_type`,`asserted_by`) WHERE "episodes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX `facts_held` ON `facts` (`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `pending_vectors_order` ON `pending_vectors` (`can_wait`,`item_id`);
--> statement-breakpoint
CREATE INDEX `episodes_counted` ON `episodes` (`episode_type`,`processed`,`deleted_at`);
--> statement-breakpoint
CREATE INDEX `concepts_counted` ON `concepts` (`type`,`deleted_at`);
--> statement-breakpoint
CREATE TABLE `totals` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`part` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`, `part`)
);
--> statement-breakpoint
CREATE TABLE `passages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`segment` integer NOT NULL,
	`key` text NOT NULL,
	`role` text NOT NULL,
	`asserted_by` text NOT NULL,
	`content` text NOT NULL,
	`files` text NOT NULL,
	`branch` text,
	`reverts` text,
	`occurred_at` text NOT NULL,
	`created_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "passage_has_content" CHECK("passages"."content" <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passages_key` ON `passages` (`source_id`,`key`);
--> statement-breakpoint
CREATE INDEX `passages_source` ON `passages` (`source_id`,`segment`,`id`);
--> statement-breakpoint
CREATE INDEX `passages_happened` ON `passages` (`occurred_at`,`id`);
--> statement-breakpoint
CREATE TABLE `sources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`title` text NOT NULL,
	`place` text,
	`mark` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sources_key` ON `sources` (`kind`,`key`);
--> statement-breakpoint
CREATE INDEX `sources_newest` ON `sources` (`updated_at`,`id`);
--> statement-breakpoint
CREATE VIRTUAL TABLE `passage_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TABLE `proposals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`status` text NOT NULL,
	`content` text NOT NULL,
	`wording_hash` text NOT NULL,
	`draft` text NOT NULL,
	`reason` text,
	`times` integer NOT NULL,
	`created_at` text NOT NULL,
	`seen_at` text NOT NULL,
	`decided_at` text,
	`decided_by` text,
	`note` text,
	`episode_id` integer,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "proposal_has_content" CHECK("proposals"."content" <> ''),
	CONSTRAINT "proposal_status" CHECK("proposals"."status" in ('open', 'accepted', 'rejected')),
	CONSTRAINT "proposal_is_decided" CHECK(("proposals"."status" = 'open') = ("proposals"."decided_at" is null))
);
--> statement-breakpoint
CREATE INDEX `proposals_status` ON `proposals` (`status`,`seen_at`,`id`);
--> statement-breakpoint
CREATE INDEX `proposals_wording` ON `proposals` (`wording_hash`);
--> statement-breakpoint
CREATE INDEX `proposals_episode` ON `proposals` (`episode_id`);
--> statement-breakpoint
CREATE INDEX `episodes_source_ref` ON `episodes` (`source_ref`) WHERE "episodes"."source_ref" is not null;
--> statement-breakpoint
CREATE TABLE `vector_signs` (
	`kind` text NOT NULL,
	`chunk` integer NOT NULL,
	`revision` integer NOT NULL,
	`places` blob NOT NULL,
	`signs` blob NOT NULL,
	PRIMARY KEY(`kind`, `chunk`)
);
--> statement-breakpoint
CREATE TABLE `recalled_items` (
	`recall_id` text NOT NULL,
	`rank` integer NOT NULL,
	`item` text NOT NULL,
	`score` real,
	`is_cut` integer NOT NULL,
	PRIMARY KEY(`recall_id`, `rank`)
);
--> statement-breakpoint
CREATE INDEX `recalled_items_item` ON `recalled_items` (`item`,`recall_id`);
--> statement-breakpoint
CREATE TABLE `recalls` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`way` text NOT NULL,
	`client` text,
	`session` text,
	`asked_by` text,
	`question` text,
	`asked` text,
	`given` integer NOT NULL,
	`cut` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recalls_at` ON `recalls` (`at`,`id`);
--> statement-breakpoint
CREATE INDEX `recalls_session` ON `recalls` (`session`,`at`);
--> statement-breakpoint
CREATE INDEX `episodes_pending` ON `episodes` (`id`) WHERE "episodes"."processed" = 0;
--> statement-breakpoint
CREATE INDEX `changes_at` ON `changes` (`ts`,`id`);
--> statement-breakpoint
CREATE INDEX `changes_author` ON `changes` (`author`,`id`);
--> statement-breakpoint
CREATE INDEX `changes_session` ON `changes` (`session`,`id`) WHERE "changes"."session" is not null;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_insert" AFTER INSERT ON episodes WHEN true BEGIN insert into totals(kind, name, part, total) values ('episodes', new."episode_type", case when new.deleted_at is not null then 'deleted' when new.processed = 1 then 'processed' else 'pending' end, 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_delete" AFTER DELETE ON episodes WHEN true BEGIN insert into totals(kind, name, part, total) values ('episodes', old."episode_type", case when old.deleted_at is not null then 'deleted' when old.processed = 1 then 'processed' else 'pending' end, -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episodes' and name = old."episode_type" and part = case when old.deleted_at is not null then 'deleted' when old.processed = 1 then 'processed' else 'pending' end and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_update" AFTER UPDATE OF "episode_type", "processed", "deleted_at" ON episodes WHEN old."episode_type" IS NOT new."episode_type" OR old."processed" IS NOT new."processed" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'episodes', old."episode_type", case when old.deleted_at is not null then 'deleted' when old.processed = 1 then 'processed' else 'pending' end, -1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'episodes', new."episode_type", case when new.deleted_at is not null then 'deleted' when new.processed = 1 then 'processed' else 'pending' end, 1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episodes' and name = old."episode_type" and part = case when old.deleted_at is not null then 'deleted' when old.processed = 1 then 'processed' else 'pending' end and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_sources_insert" AFTER INSERT ON sources WHEN new.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('sources', new."kind", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_sources_delete" AFTER DELETE ON sources WHEN old.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('sources', old."kind", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'sources' and name = old."kind" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_sources_update" AFTER UPDATE OF "kind", "deleted_at" ON sources WHEN old."kind" IS NOT new."kind" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'sources', old."kind", '', -1 where old.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'sources', new."kind", '', 1 where new.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'sources' and name = old."kind" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_passages_insert" AFTER INSERT ON passages WHEN new.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('passages', new."role", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_passages_delete" AFTER DELETE ON passages WHEN old.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('passages', old."role", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'passages' and name = old."role" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_passages_update" AFTER UPDATE OF "role", "deleted_at" ON passages WHEN old."role" IS NOT new."role" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'passages', old."role", '', -1 where old.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'passages', new."role", '', 1 where new.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'passages' and name = old."role" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_insert" AFTER INSERT ON concepts WHEN true BEGIN insert into totals(kind, name, part, total) values ('concepts', new."type", case when new.deleted_at is null then 'active' else 'deleted' end, 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_delete" AFTER DELETE ON concepts WHEN true BEGIN insert into totals(kind, name, part, total) values ('concepts', old."type", case when old.deleted_at is null then 'active' else 'deleted' end, -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concepts' and name = old."type" and part = case when old.deleted_at is null then 'active' else 'deleted' end and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_update" AFTER UPDATE OF "type", "deleted_at" ON concepts WHEN old."type" IS NOT new."type" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'concepts', old."type", case when old.deleted_at is null then 'active' else 'deleted' end, -1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'concepts', new."type", case when new.deleted_at is null then 'active' else 'deleted' end, 1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concepts' and name = old."type" and part = case when old.deleted_at is null then 'active' else 'deleted' end and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_of_topic_insert" AFTER INSERT ON episodes WHEN new.topic_id is not null and new.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('episodes_of_topic', new."topic_id", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_of_topic_delete" AFTER DELETE ON episodes WHEN old.topic_id is not null and old.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('episodes_of_topic', old."topic_id", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episodes_of_topic' and name = old."topic_id" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episodes_of_topic_update" AFTER UPDATE OF "topic_id", "deleted_at" ON episodes WHEN old."topic_id" IS NOT new."topic_id" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'episodes_of_topic', old."topic_id", '', -1 where old.topic_id is not null and old.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'episodes_of_topic', new."topic_id", '', 1 where new.topic_id is not null and new.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episodes_of_topic' and name = old."topic_id" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_of_topic_insert" AFTER INSERT ON concepts WHEN new.topic_id is not null and new.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('concepts_of_topic', new."topic_id", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_of_topic_delete" AFTER DELETE ON concepts WHEN old.topic_id is not null and old.deleted_at is null BEGIN insert into totals(kind, name, part, total) values ('concepts_of_topic', old."topic_id", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concepts_of_topic' and name = old."topic_id" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concepts_of_topic_update" AFTER UPDATE OF "topic_id", "deleted_at" ON concepts WHEN old."topic_id" IS NOT new."topic_id" OR old."deleted_at" IS NOT new."deleted_at" BEGIN insert into totals(kind, name, part, total) select 'concepts_of_topic', old."topic_id", '', -1 where old.topic_id is not null and old.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'concepts_of_topic', new."topic_id", '', 1 where new.topic_id is not null and new.deleted_at is null on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concepts_of_topic' and name = old."topic_id" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_facts_insert" AFTER INSERT ON facts WHEN exists (select 1 from episodes owner where owner.id = new."episode_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('facts', new."status", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_facts_delete" AFTER DELETE ON facts WHEN exists (select 1 from episodes owner where owner.id = old."episode_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('facts', old."status", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'facts' and name = old."status" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_facts_update" AFTER UPDATE OF "status", "episode_id" ON facts WHEN old."status" IS NOT new."status" OR old."episode_id" IS NOT new."episode_id" BEGIN insert into totals(kind, name, part, total) select 'facts', old."status", '', -1 where exists (select 1 from episodes owner where owner.id = old."episode_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'facts', new."status", '', 1 where exists (select 1 from episodes owner where owner.id = new."episode_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'facts' and name = old."status" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_facts_owner_0" AFTER UPDATE OF deleted_at ON episodes WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'facts', name, part, sum(one) from (select held."status" as name, '' as part, case when new.deleted_at is null then 1 else -1 end as one from facts held where held."episode_id" = new.id and true) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'facts' and total = 0 and (name, part) in (select held."status", '' from facts held where held."episode_id" = new.id); END;
--> statement-breakpoint
CREATE TRIGGER "totals_conflicts_insert" AFTER INSERT ON conflicts WHEN exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = new."fact_a") and owner.deleted_at is null) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = new."fact_b") and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('conflicts', new."status", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_conflicts_delete" AFTER DELETE ON conflicts WHEN exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = old."fact_a") and owner.deleted_at is null) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = old."fact_b") and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('conflicts', old."status", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'conflicts' and name = old."status" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_conflicts_update" AFTER UPDATE OF "status", "fact_a", "fact_b" ON conflicts WHEN old."status" IS NOT new."status" OR old."fact_a" IS NOT new."fact_a" OR old."fact_b" IS NOT new."fact_b" BEGIN insert into totals(kind, name, part, total) select 'conflicts', old."status", '', -1 where exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = old."fact_a") and owner.deleted_at is null) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = old."fact_b") and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'conflicts', new."status", '', 1 where exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = new."fact_a") and owner.deleted_at is null) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = new."fact_b") and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'conflicts' and name = old."status" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_conflicts_owner_0" AFTER UPDATE OF deleted_at ON episodes WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'conflicts', name, part, sum(one) from (select held."status" as name, '' as part, case when new.deleted_at is null then 1 else -1 end as one from conflicts held where held."fact_a" in (select id from facts where episode_id = new.id) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = held."fact_b") and owner.deleted_at is null)) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'conflicts' and total = 0 and (name, part) in (select held."status", '' from conflicts held where held."fact_a" in (select id from facts where episode_id = new.id)); END;
--> statement-breakpoint
CREATE TRIGGER "totals_conflicts_owner_1" AFTER UPDATE OF deleted_at ON episodes WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'conflicts', name, part, sum(one) from (select held."status" as name, '' as part, case when new.deleted_at is null then 1 else -1 end as one from conflicts held where held."fact_b" in (select id from facts where episode_id = new.id) and exists (select 1 from episodes owner where owner.id = (select episode_id from facts where id = held."fact_a") and owner.deleted_at is null)) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'conflicts' and total = 0 and (name, part) in (select held."status", '' from conflicts held where held."fact_b" in (select id from facts where episode_id = new.id)); END;
--> statement-breakpoint
CREATE TRIGGER "totals_relations_insert" AFTER INSERT ON relations WHEN exists (select 1 from concepts owner where owner.id = new."source_id" and owner.deleted_at is null) and exists (select 1 from concepts owner where owner.id = new."target_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('relations', new."type", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_relations_delete" AFTER DELETE ON relations WHEN exists (select 1 from concepts owner where owner.id = old."source_id" and owner.deleted_at is null) and exists (select 1 from concepts owner where owner.id = old."target_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('relations', old."type", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'relations' and name = old."type" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_relations_update" AFTER UPDATE OF "type", "source_id", "target_id" ON relations WHEN old."type" IS NOT new."type" OR old."source_id" IS NOT new."source_id" OR old."target_id" IS NOT new."target_id" BEGIN insert into totals(kind, name, part, total) select 'relations', old."type", '', -1 where exists (select 1 from concepts owner where owner.id = old."source_id" and owner.deleted_at is null) and exists (select 1 from concepts owner where owner.id = old."target_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'relations', new."type", '', 1 where exists (select 1 from concepts owner where owner.id = new."source_id" and owner.deleted_at is null) and exists (select 1 from concepts owner where owner.id = new."target_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'relations' and name = old."type" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_relations_owner_0" AFTER UPDATE OF deleted_at ON concepts WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'relations', name, part, sum(one) from (select held."type" as name, '' as part, case when new.deleted_at is null then 1 else -1 end as one from relations held where held."source_id" = new.id and exists (select 1 from concepts owner where owner.id = held."target_id" and owner.deleted_at is null)) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'relations' and total = 0 and (name, part) in (select held."type", '' from relations held where held."source_id" = new.id); END;
--> statement-breakpoint
CREATE TRIGGER "totals_relations_owner_1" AFTER UPDATE OF deleted_at ON concepts WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'relations', name, part, sum(one) from (select held."type" as name, '' as part, case when new.deleted_at is null then 1 else -1 end as one from relations held where held."target_id" = new.id and exists (select 1 from concepts owner where owner.id = held."source_id" and owner.deleted_at is null)) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'relations' and total = 0 and (name, part) in (select held."type", '' from relations held where held."target_id" = new.id); END;
--> statement-breakpoint
CREATE TRIGGER "totals_entities_insert" AFTER INSERT ON entities WHEN true BEGIN insert into totals(kind, name, part, total) values ('entities', new."type", '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_entities_delete" AFTER DELETE ON entities WHEN true BEGIN insert into totals(kind, name, part, total) values ('entities', old."type", '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'entities' and name = old."type" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_entities_update" AFTER UPDATE OF "type" ON entities WHEN old."type" IS NOT new."type" BEGIN insert into totals(kind, name, part, total) select 'entities', old."type", '', -1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'entities', new."type", '', 1 where true on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'entities' and name = old."type" and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_entity_relations_insert" AFTER INSERT ON entity_relations WHEN true BEGIN insert into totals(kind, name, part, total) values ('entity_relations', '', '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_entity_relations_delete" AFTER DELETE ON entity_relations WHEN true BEGIN insert into totals(kind, name, part, total) values ('entity_relations', '', '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'entity_relations' and name = '' and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_topics_insert" AFTER INSERT ON topics WHEN true BEGIN insert into totals(kind, name, part, total) values ('topics', '', '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_topics_delete" AFTER DELETE ON topics WHEN true BEGIN insert into totals(kind, name, part, total) values ('topics', '', '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'topics' and name = '' and part = '' and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episode_labels_insert" AFTER INSERT ON episode_labels WHEN exists (select 1 from episodes owner where owner.id = new."episode_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('episode_labels', new."key", new."value", 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episode_labels_delete" AFTER DELETE ON episode_labels WHEN exists (select 1 from episodes owner where owner.id = old."episode_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('episode_labels', old."key", old."value", -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episode_labels' and name = old."key" and part = old."value" and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episode_labels_update" AFTER UPDATE OF "key", "value", "episode_id" ON episode_labels WHEN old."key" IS NOT new."key" OR old."value" IS NOT new."value" OR old."episode_id" IS NOT new."episode_id" BEGIN insert into totals(kind, name, part, total) select 'episode_labels', old."key", old."value", -1 where exists (select 1 from episodes owner where owner.id = old."episode_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'episode_labels', new."key", new."value", 1 where exists (select 1 from episodes owner where owner.id = new."episode_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episode_labels' and name = old."key" and part = old."value" and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_episode_labels_owner_0" AFTER UPDATE OF deleted_at ON episodes WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'episode_labels', name, part, sum(one) from (select held."key" as name, held."value" as part, case when new.deleted_at is null then 1 else -1 end as one from episode_labels held where held."episode_id" = new.id and true) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'episode_labels' and total = 0 and (name, part) in (select held."key", held."value" from episode_labels held where held."episode_id" = new.id); END;
--> statement-breakpoint
CREATE TRIGGER "totals_concept_labels_insert" AFTER INSERT ON concept_labels WHEN exists (select 1 from concepts owner where owner.id = new."concept_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('concept_labels', new."key", new."value", 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concept_labels_delete" AFTER DELETE ON concept_labels WHEN exists (select 1 from concepts owner where owner.id = old."concept_id" and owner.deleted_at is null) BEGIN insert into totals(kind, name, part, total) values ('concept_labels', old."key", old."value", -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concept_labels' and name = old."key" and part = old."value" and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concept_labels_update" AFTER UPDATE OF "key", "value", "concept_id" ON concept_labels WHEN old."key" IS NOT new."key" OR old."value" IS NOT new."value" OR old."concept_id" IS NOT new."concept_id" BEGIN insert into totals(kind, name, part, total) select 'concept_labels', old."key", old."value", -1 where exists (select 1 from concepts owner where owner.id = old."concept_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; insert into totals(kind, name, part, total) select 'concept_labels', new."key", new."value", 1 where exists (select 1 from concepts owner where owner.id = new."concept_id" and owner.deleted_at is null) on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concept_labels' and name = old."key" and part = old."value" and total = 0; END;
--> statement-breakpoint
CREATE TRIGGER "totals_concept_labels_owner_0" AFTER UPDATE OF deleted_at ON concepts WHEN (old.deleted_at is null) <> (new.deleted_at is null) BEGIN insert into totals(kind, name, part, total) select 'concept_labels', name, part, sum(one) from (select held."key" as name, held."value" as part, case when new.deleted_at is null then 1 else -1 end as one from concept_labels held where held."concept_id" = new.id and true) held group by name, part on conflict (kind, name, part) do update set total = totals.total + excluded.total; delete from totals where kind = 'concept_labels' and total = 0 and (name, part) in (select held."key", held."value" from concept_labels held where held."concept_id" = new.id); END;
--> statement-breakpoint
CREATE TRIGGER "totals_label_comes" AFTER INSERT ON totals WHEN new.kind in ('episode_labels', 'concept_labels') AND NOT exists (select 1 from totals other where other.kind in ('episode_labels', 'concept_labels') and other.kind <> new.kind and other.name = new.name and other.part = new.part) BEGIN insert into totals(kind, name, part, total) values ('labels', '', '', 1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
--> statement-breakpoint
CREATE TRIGGER "totals_label_goes" AFTER DELETE ON totals WHEN old.kind in ('episode_labels', 'concept_labels') AND NOT exists (select 1 from totals other where other.kind in ('episode_labels', 'concept_labels') and other.kind <> old.kind and other.name = old.name and other.part = old.part) BEGIN insert into totals(kind, name, part, total) values ('labels', '', '', -1) on conflict (kind, name, part) do update set total = totals.total + excluded.total; END;
