-- Emoji are words from here on: texts that are there are indexed anew, behind other work.
INSERT INTO "meta" ("key", "value")
	SELECT 'texts_refreshed', '{"episode":0,"concept":0}'
	WHERE EXISTS (SELECT 1 FROM "episodes") OR EXISTS (SELECT 1 FROM "concepts")
	ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value";
