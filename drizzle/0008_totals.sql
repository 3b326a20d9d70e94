CREATE TABLE `totals` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`part` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`, `part`)
);
