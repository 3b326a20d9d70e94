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
CREATE UNIQUE INDEX `passages_key` ON `passages` (`source_id`,`key`);--> statement-breakpoint
CREATE INDEX `passages_source` ON `passages` (`source_id`,`segment`,`id`);--> statement-breakpoint
CREATE INDEX `passages_happened` ON `passages` (`occurred_at`,`id`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `sources_key` ON `sources` (`kind`,`key`);--> statement-breakpoint
CREATE INDEX `sources_newest` ON `sources` (`updated_at`,`id`);
