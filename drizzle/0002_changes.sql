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
CREATE INDEX `row_changes_change` ON `row_changes` (`change_id`);--> statement-breakpoint
CREATE INDEX `row_changes_row` ON `row_changes` (`table_name`,`row_key`,`change_id`);--> statement-breakpoint
ALTER TABLE `events` ADD `change_id` integer;--> statement-breakpoint
CREATE INDEX `events_change` ON `events` (`change_id`);--> statement-breakpoint
INSERT INTO `event_items` (`item`, `seq`) SELECT `subject_id`, `seq` FROM `events`;
