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
	`payload` text,
	`change_id` integer
);
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
	`created_at` text NOT NULL,
	`superseded_at` text,
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
	`created_at` text NOT NULL,
	`change_id` integer
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pending_vectors` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`can_wait` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`kind`, `item_id`),
	CONSTRAINT "pending_vector_kind" CHECK("pending_vectors"."kind" in ('episode', 'concept', 'passage'))
);
--> statement-breakpoint
CREATE TABLE `vectors` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`vector` blob NOT NULL,
	`tokens` blob,
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
