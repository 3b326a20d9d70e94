-- From the schema of 0.1: counts are cached, not kept by triggers.
DO $$
DECLARE
	found record;
BEGIN
	FOR found IN
		SELECT tgname, relname FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
		WHERE NOT tgisinternal AND tgname LIKE 'totals\_%' AND relnamespace = current_schema()::regnamespace
	LOOP
		EXECUTE format('DROP TRIGGER %I ON %I', found.tgname, found.relname);
	END LOOP;
	FOR found IN
		SELECT proname FROM pg_catalog.pg_proc WHERE proname LIKE 'totals\_%' AND pronamespace = current_schema()::regnamespace
	LOOP
		EXECUTE format('DROP FUNCTION %I', found.proname);
	END LOOP;
END $$;
DROP TABLE IF EXISTS "totals";
