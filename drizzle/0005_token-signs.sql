DROP INDEX `pending_vectors_order`;--> statement-breakpoint
ALTER TABLE `pending_vectors` ADD `can_wait` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `pending_vectors_order` ON `pending_vectors` (`can_wait`,`item_id`);--> statement-breakpoint
ALTER TABLE `vectors` ADD `tokens` blob;--> statement-breakpoint
INSERT INTO `pending_vectors` (`kind`, `item_id`, `revision`, `can_wait`)
	SELECT `kind`, `item_id`, abs(random() >> 16), 1 FROM `vectors`
	WHERE EXISTS (SELECT 1 FROM `meta` WHERE `key` = 'embedder' AND `value` LIKE '%"identity":"minilm-l6-v2-%')
	ON CONFLICT DO NOTHING;
