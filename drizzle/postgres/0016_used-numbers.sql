-- Sources, passages and proposals that are gone keep their numbers too.
CREATE TRIGGER keep_number AFTER DELETE ON sources FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON passages FOR EACH ROW EXECUTE FUNCTION keep_number('id');
CREATE TRIGGER keep_number AFTER DELETE ON proposals FOR EACH ROW EXECUTE FUNCTION keep_number('id');

INSERT INTO used_numbers(table_name, number)
SELECT table_name, max((row_key::json ->> 0)::bigint) FROM row_changes
WHERE table_name IN ('sources', 'passages', 'proposals') GROUP BY table_name
ON CONFLICT (table_name) DO UPDATE SET number = greatest(used_numbers.number, excluded.number);
