-- What gives standing instructions is indexed as such from here on: texts that are there are indexed
-- anew, behind other work.
INSERT INTO `meta` (`key`, `value`)
	SELECT 'texts_refreshed', '{"episode":0}'
	WHERE EXISTS (SELECT 1 FROM `episodes`)
	ON CONFLICT (`key`) DO UPDATE SET `value` = excluded.`value`;
