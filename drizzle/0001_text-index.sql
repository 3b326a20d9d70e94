-- Full text: contentless, so that the text is stored once. Porter stems, diacritics folded.
CREATE VIRTUAL TABLE `episode_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');--> statement-breakpoint
CREATE VIRTUAL TABLE `concept_text` USING fts5(content, context, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
