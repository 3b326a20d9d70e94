-- The text index of passages, as those of episodes and concepts are.
CREATE VIRTUAL TABLE `passage_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');--> statement-breakpoint
-- A further kind in two checks. The rows stay as they are: copying all vectors would take minutes.
PRAGMA writable_schema=ON;--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(`sql`, 'in (''episode'', ''concept'')', 'in (''episode'', ''concept'', ''passage'')') WHERE `type` = 'table' AND `name` IN ('vectors', 'pending_vectors');--> statement-breakpoint
PRAGMA writable_schema=RESET;
