-- Texts are folded and split by other rules from here on: those that are there are indexed anew, behind other work.
INSERT INTO `meta` (`key`, `value`)
	SELECT 'texts_refreshed', '{"episode":0,"concept":0}'
	WHERE EXISTS (SELECT 1 FROM `episodes`) OR EXISTS (SELECT 1 FROM `concepts`);
