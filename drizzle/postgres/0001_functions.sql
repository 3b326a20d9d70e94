-- The highest number that a row which is gone had: no new row gets it.
CREATE TABLE used_numbers (
	table_name text COLLATE "C" PRIMARY KEY,
	number bigint NOT NULL
);

CREATE FUNCTION keep_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO used_numbers(table_name, number) VALUES (tg_table_name, (to_json(old) ->> tg_argv[0])::bigint)
	ON CONFLICT (table_name) DO UPDATE SET number = greatest(used_numbers.number, excluded.number);
	RETURN NULL;
END $$;

CREATE TRIGGER keep_number AFTER DELETE ON episodes FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON concepts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON entities FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON facts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON conflicts FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_number('seq');

-- Values within the images of rows, written as SQLite writes them.
CREATE FUNCTION image_of(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(replace(to_json(value)::text, U&'\+10FFFF' || '0', '\u0000'), 'null')
$$;

CREATE FUNCTION image_of(value bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(value::text, 'null')
$$;

CREATE FUNCTION image_of(value double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(regexp_replace(value::text, '^(-?[0-9]+)(e.*)?$', '\1.0\2'), 'null')
$$;

-- As SQLite has it.
CREATE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT value IS JSON
$$;

-- A member of an object or an item of a list, as text. NUL, which text cannot hold, is a question mark.
CREATE FUNCTION json_part(document text, VARIADIC path text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN document IS JSON
		THEN regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u0000', '\1?', 'g')::json #>> path END
$$;
