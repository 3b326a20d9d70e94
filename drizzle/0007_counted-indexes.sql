DROP INDEX `episodes_type`;--> statement-breakpoint
CREATE INDEX `episodes_counted` ON `episodes` (`episode_type`,`processed`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `concepts_counted` ON `concepts` (`type`,`deleted_at`);