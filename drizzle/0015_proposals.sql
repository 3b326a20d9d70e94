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
CREATE INDEX `proposals_status` ON `proposals` (`status`,`seen_at`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_wording` ON `proposals` (`wording_hash`);--> statement-breakpoint
CREATE INDEX `proposals_episode` ON `proposals` (`episode_id`);