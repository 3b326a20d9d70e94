import { type SQL, sql } from "drizzle-orm";
import { selectByEngine } from "./select-by-engine.ts";

/** Joins in the written order on SQLite; PostgreSQL chooses its own order. */
export const ORDERED_JOIN: SQL = selectByEngine({ sqlite: sql`cross join`, postgres: sql`join` });

/**
 * Joins, for each row, the rows of a table whose `key` is in a correlated subquery, which
 * PostgreSQL would otherwise rerun per row of the table.
 */
export function orderedJoin(
  { table, alias, key = "id" }: { table: string; alias: string; key?: string },
  keys: SQL,
): SQL {
  const rows = sql`${sql.identifier(table)} ${sql.identifier(alias)}`;
  const joined = sql`${sql.identifier(alias)}.${sql.identifier(key)}`;
  return selectByEngine({
    sqlite: sql`cross join ${rows} on ${joined} in (${keys})`,
    postgres: sql`cross join lateral (${keys}) as each_${sql.raw(alias)}(key) join ${rows} on ${joined} = each_${sql.raw(alias)}.key`,
  });
}

export function contains(text: SQL, part: SQL): SQL {
  return selectByEngine({
    sqlite: sql`instr(${text}, ${part}) > 0`,
    postgres: sql`strpos(${text}, ${part}) > 0`,
  });
}

/**
 * SQL condition: the text ends with one of these characters, ignoring trailing spaces. Compares
 * trailing bytes, because SQLite counts characters to find the last one, and only up to a NUL.
 * Tests the last byte first to avoid copying long texts.
 */
export function endsWithAny(text: SQL, characters: readonly string[]): SQL {
  const listedTexts = sql.raw(characters.map((one) => `'${one}'`).join(", "));
  const endings = characters.map((one) => Buffer.from(one));
  const lastBytes = [Buffer.from(" "), ...endings].map((bytes) =>
    bytes.subarray(-1).toString("hex"),
  );
  const listedBytes = sql.raw([...new Set(lastBytes)].map((byte) => `x'${byte}'`).join(", "));
  const trimmed = sql`cast(rtrim(${text}) as blob)`;
  const isEnding = endings.map(
    (bytes) =>
      sql`substr(${trimmed}, ${sql.raw(String(-bytes.length))}) = ${sql.raw(`x'${bytes.toString("hex")}'`)}`,
  );
  return selectByEngine({
    sqlite: sql`case when substr(cast(${text} as blob), -1) in (${listedBytes}) then ${sql.join(isEnding, sql` or `)} else 0 end`,
    postgres: sql`right(rtrim(${text}), 1) in (${listedTexts})`,
  });
}

export function scalarMin(one: SQL, other: SQL): SQL {
  return selectByEngine({
    sqlite: sql`min(${one}, ${other})`,
    postgres: sql`least(${one}, ${other})`,
  });
}

export function scalarMax(one: SQL, other: SQL): SQL {
  return selectByEngine({
    sqlite: sql`max(${one}, ${other})`,
    postgres: sql`greatest(${one}, ${other})`,
  });
}

/** Aggregates the rows of a query as a JSON list of lists. */
export function rowsAsJson(columns: SQL): SQL {
  return selectByEngine({
    sqlite: sql`json_group_array(json_array(${columns}))`,
    postgres: sql`coalesce(json_agg(json_build_array(${columns})), '[]')::text`,
  });
}

/** Concatenates a column's bytes in the order of `rowsTogether`; null if there are none. */
export function concatenatedBytes(column: SQL): SQL {
  return selectByEngine({
    sqlite: sql`cast(group_concat(${column}, '') as blob)`,
    postgres: sql`string_agg(${column}, ''::bytea)`,
  });
}

export function jsonMember(document: SQL, name: string): SQL {
  return selectByEngine({
    sqlite: sql`json_extract(${document}, ${sql.raw(`'$.${name}'`)})`,
    postgres: sql`json_part(${document}, ${sql.raw(`'${name}'`)})`,
  });
}

export function firstJsonItem(document: SQL): SQL {
  return selectByEngine({
    sqlite: sql`json_extract(${document}, '$[0]')`,
    postgres: sql`json_part(${document}, '0')`,
  });
}

export function isInvalidTime(text: SQL): SQL {
  return selectByEngine({
    sqlite: sql`julianday(${text}) is null`,
    postgres: sql`${text} !~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-5][0-9].*)?$'`,
  });
}

/** SQL condition: a number column contains another type, which is possible only in SQLite. */
export function isInvalidNumber(cell: SQL): SQL {
  return selectByEngine({
    sqlite: sql`typeof(${cell}) not in ('real', 'integer')`,
    postgres: sql`false`,
  });
}

/**
 * SQL condition for `Database.claim`: acquires the row for this process. Evaluated once per row in
 * order, so apply it to a subquery with a limit. SQLite processes do not see each other's claims.
 */
export function claimRows(what: SQL, number: SQL): SQL {
  return selectByEngine({
    sqlite: sql`true`,
    postgres: sql`pg_try_advisory_xact_lock(hashtext('cairn claim ' || current_schema() || ' ' || ${what}), ${number}::integer)`,
  });
}

export const RANDOM_NUMBER: SQL = selectByEngine({
  sqlite: sql`abs(random() >> 16)`,
  postgres: sql`floor(random() * 140737488355328)::bigint`,
});

/** Query suffix that locks its rows against changes until the transaction ends. */
export const FOR_SHARE: SQL = selectByEngine({ sqlite: sql``, postgres: sql`for share` });
