-- The signs of vectors in a table of cairn's own: before, they lay in virtual tables whose storage is private to
-- sqlite-vec. A row holds those of up to 128 items; `places` has one byte an item, its number modulo 128.
CREATE TABLE `vector_signs` (
	`kind` text NOT NULL,
	`chunk` integer NOT NULL,
	`revision` integer NOT NULL,
	`places` blob NOT NULL,
	`signs` blob NOT NULL,
	PRIMARY KEY(`kind`, `chunk`)
);
--> statement-breakpoint
INSERT INTO `vector_signs` (`kind`, `chunk`, `revision`, `places`, `signs`)
SELECT `kind`, `item_id` >> 7, abs(random() % 9007199254740991),
	unhex(group_concat(printf('%02x', `item_id` & 127), '' ORDER BY `item_id`)),
	unhex(group_concat(hex(vec_quantize_binary(vec_int8(
		substr(cast(`vector` || zeroblob(7) AS blob), 1, (length(`vector`) + 7) / 8 * 8)
	))), '' ORDER BY `item_id`))
FROM `vectors` WHERE length(`vector`) > 0 GROUP BY `kind`, `item_id` >> 7;
--> statement-breakpoint
DROP TABLE IF EXISTS `episode_bits`;
--> statement-breakpoint
DROP TABLE IF EXISTS `concept_bits`;
--> statement-breakpoint
DROP TABLE IF EXISTS `passage_bits`;
