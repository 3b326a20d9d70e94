CREATE TABLE `recalled_items` (
	`recall_id` text NOT NULL,
	`rank` integer NOT NULL,
	`item` text NOT NULL,
	`score` real,
	`is_cut` integer NOT NULL,
	PRIMARY KEY(`recall_id`, `rank`)
);
--> statement-breakpoint
CREATE INDEX `recalled_items_item` ON `recalled_items` (`item`,`recall_id`);--> statement-breakpoint
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
CREATE INDEX `recalls_at` ON `recalls` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `recalls_session` ON `recalls` (`session`,`at`);