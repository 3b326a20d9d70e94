DROP INDEX `episodes_pending`;--> statement-breakpoint
CREATE INDEX `episodes_pending` ON `episodes` (`id`) WHERE "episodes"."processed" = 0;--> statement-breakpoint
CREATE INDEX `changes_at` ON `changes` (`ts`,`id`);--> statement-breakpoint
CREATE INDEX `changes_author` ON `changes` (`author`,`id`);--> statement-breakpoint
CREATE INDEX `changes_session` ON `changes` (`session`,`id`) WHERE "changes"."session" is not null;