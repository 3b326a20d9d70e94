import type { ClientBase } from "pg";
import { NOT_LOGGED } from "../not-logged.ts";
import { escapeIdentifier, escapeLiteral } from "./quote.ts";

/** Tables that only PostgreSQL has: those of the search index, and the highest numbers used. */
const OWN = /^(used_numbers|indexed_|text_|vector_)/;

export interface LoggedRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/**
 * Installs triggers that log each written row as SQLite's triggers do, with the same row images. Runs after
 * each migration, so that the log knows every column.
 */
export async function installRowTriggers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<LoggedRows>(LOGGED_TABLES);
  const statements = loggedOf(rows).flatMap((table) => [
    triggerFunction(table),
    `drop trigger if exists row_log on ${escapeIdentifier(table.name)}`,
    rowTrigger(table),
  ]);
  await client.query(statements.join(";\n"));
}

export function rowTrigger(table: LoggedRows): string {
  return `create trigger row_log after insert or update or delete on ${escapeIdentifier(table.name)} for each row execute function ${functionName(table)}()`;
}

export function loggedOf(tables: readonly LoggedRows[]): LoggedRows[] {
  return tables.filter(({ name }) => !NOT_LOGGED.includes(name) && !OWN.test(name));
}

/** Every table with its columns in order, and the columns of its primary key in their order. */
export const LOGGED_TABLES = `
    select relname as name,
      (select json_agg(attname order by attnum) from pg_catalog.pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by place) from unnest(conkey) with ordinality as part(number, place)
        join pg_catalog.pg_attribute on attrelid = pg_class.oid and attnum = part.number) as key
    from pg_catalog.pg_class join pg_catalog.pg_constraint on conrelid = pg_class.oid and contype = 'p'
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`;

function functionName({ name }: LoggedRows): string {
  return escapeIdentifier(`row_log_${name}`);
}

function triggerFunction(table: LoggedRows): string {
  const insert = entryOf(table, "insert", { row: "new", before: "null", after: "null" });
  const before = differing(table, "old");
  const after = differing(table, "new");
  const update = entryOf(table, "update", { row: "old", before, after });
  const remove = entryOf(table, "delete", { row: "old", before: whole(table), after: "null" });
  return `create or replace function ${functionName(table)}() returns trigger language plpgsql as $trigger$
    declare change bigint := (select max(id) from changes);
    begin
      if change is null then return null; end if;
      if tg_op = 'INSERT' then ${insert}
      elsif tg_op = 'DELETE' then ${remove}
      elsif old is distinct from new then ${update}
      end if;
      return null;
    end $trigger$`;
}

function entryOf(
  table: LoggedRows,
  action: string,
  { row, before, after }: { row: string; before: string; after: string },
): string {
  const key = table.key.map((name) => image(row, name)).join(", ");
  return `insert into row_changes(seq, change_id, table_name, row_key, action, before, after)
    select coalesce(max(seq), 0) + 1, change, ${escapeLiteral(table.name)}, '[' || concat_ws(',', ${key}) || ']', '${action}', ${before}, ${after} from row_changes;`;
}

function whole({ columns }: LoggedRows): string {
  return asObject(columns.map((name) => named(name, image("old", name))));
}

/** SQL for the columns that an update changed. */
function differing({ columns }: LoggedRows, row: string): string {
  const parts = columns.map((name) => {
    const column = escapeIdentifier(name);
    return `case when old.${column} is distinct from new.${column} then ${named(name, image(row, name))} end`;
  });
  return asObject(parts);
}

function named(name: string, value: string): string {
  return `${escapeLiteral(`"${name}":`)} || ${value}`;
}

function asObject(parts: readonly string[]): string {
  return `'{' || concat_ws(',', ${parts.join(", ")}) || '}'`;
}

function image(row: string, name: string): string {
  return `image_of(${row}.${escapeIdentifier(name)})`;
}
