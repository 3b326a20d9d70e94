import { type SQL, sql } from "drizzle-orm";
import { SqliteDatabase, type Tx, withShadowTables } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, createRowProblem, type Problem } from "../../context/problem.ts";
import { activeNumbers, itemId, itemTable, loadInSlices, publicName } from "../indexed-items.ts";
import { loadSearchable } from "../text-query.ts";
import { textTable } from "./fts5-search.ts";
import { findWrongStatistics } from "./text-statistics.ts";

export async function findTextProblems(
  tx: Tx,
  kind: IndexedKind,
  { words }: { readonly words: boolean },
): Promise<readonly Problem[]> {
  const isThere = (await loadDefinition(tx, kind)) !== undefined;
  return [
    ...(isThere ? await findRows(tx, kind) : []),
    ...(isThere && words ? await findWrongStatistics(tx, kind) : []),
    ...(words ? await findWords(tx, kind) : []),
  ];
}

export async function rebuildTextTable(tx: Tx, kind: IndexedKind): Promise<void> {
  const definition = (await loadDefinition(tx, kind)) ?? (await createDefinition(kind));
  await dropTextIndex(tx, kind);
  await tx.run(sql`create virtual table ${textTable(kind)} ${sql.raw(definition)}`);
}

/** Returns the definition used by new databases, for a database that lost its own. */
async function createDefinition(kind: IndexedKind): Promise<string> {
  const fresh = new SqliteDatabase({ path: ":memory:" });
  try {
    const definition = await fresh.read((tx) => loadDefinition(tx, kind));
    if (definition === undefined) throw new Error(`No migration makes a text index of ${kind}s.`);
    return definition;
  } finally {
    await fresh.close();
  }
}

/** FTS5 drops a table only if its shadow tables are readable, so creates missing ones first. */
async function dropTextIndex(tx: Tx, kind: IndexedKind): Promise<void> {
  if ((await loadDefinition(tx, kind)) === undefined) return;
  await withShadowTables(tx, async () => {
    for (const part of FTS5_PARTS) {
      await tx.run(sql.raw(`create table if not exists ${kind}_text_${part}`));
    }
    await tx.run(sql.raw(`insert or ignore into ${kind}_text_config values ('version', 4)`));
  });
  await tx.run(sql`drop table ${textTable(kind)}`);
}

const FTS5_PARTS = [
  "data(id integer primary key, block blob)",
  "idx(segid, term, pgno, primary key(segid, term)) without rowid",
  "docsize(id integer primary key, sz blob, origin integer)",
  "config(k primary key, v) without rowid",
];

/** FTS5 stores averages and structure in the first blocks; words follow. */
const LAST_SPECIAL_BLOCK = 10;

async function findRows(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const table = textTable(kind);
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const contents = sql.identifier(`${kind}_text_idx`);
  const blocks = sql.identifier(`${kind}_text_data`);
  return [
    ...(await createRowProblem(
      tx,
      `The text index of ${kind}s has lost its structure record.`,
      sql`select ${`${kind}_text`} as item where exists (select 1 from ${blocks} where id > ${LAST_SPECIAL_BLOCK}) and not exists (select 1 from ${contents})`,
    )),
    ...(await createRowProblem(
      tx,
      `Active ${kind}s are missing from the text index.`,
      sql`select ${itemId(kind, sql`id`)} as item from (${active} except select rowid from ${table})`,
    )),
    ...(await createRowProblem(
      tx,
      `The text index contains ${kind}s that are deleted or missing.`,
      sql`select rowid as item from (select rowid from ${table} except ${active})`,
    )),
  ];
}

async function findWords(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const definition = await loadDefinition(tx, kind);
  if (definition === undefined)
    return [
      { problem: `There is no text index of ${kind}s.`, count: 1, examples: [`${kind}_text`] },
    ];
  await tx.run(sql.raw(`create virtual table temp.expected_text ${definition}`));
  try {
    await fillExpected(tx, kind);
    await tx.run(
      sql.raw(
        `create virtual table temp.actual_words using fts5vocab('main', '${kind}_text', 'instance')`,
      ),
    );
    await tx.run(
      sql`create virtual table temp.expected_words using fts5vocab('temp', 'expected_text', 'instance')`,
    );
    await tx.run(
      sql`create virtual table temp.word_list using fts5vocab('temp', 'expected_text', 'row')`,
    );
    const numbers = await findDifferingItems(tx);
    const known = new Set(await activeNumbers(tx, kind));
    return createProblem(
      `The text index disagrees with the texts of ${kind}s.`,
      numbers.filter((number) => known.has(number)).map((number) => publicName(kind, number)),
    );
  } finally {
    for (const name of ["word_list", "expected_words", "actual_words", "expected_text"]) {
      await tx.run(sql.raw(`drop table if exists temp.${name}`));
    }
  }
}

/** Returns the `using fts5(…)` clause from the migrations; undefined if the table is missing. */
async function loadDefinition(tx: Tx, kind: IndexedKind): Promise<string | undefined> {
  const [row] = await tx.all<{ sql: string }>(
    sql`select sql from sqlite_schema where name = ${`${kind}_text`}`,
  );
  return row?.sql.slice(row.sql.toLowerCase().indexOf("using"));
}

async function fillExpected(tx: Tx, kind: IndexedKind): Promise<void> {
  await loadInSlices(await activeNumbers(tx, kind), async (slice) => {
    for (const { number, text } of await loadSearchable(tx, kind, slice)) {
      await tx.run(
        sql`insert into temp.expected_text(rowid, content, context) values (${number}, ${text.content}, ${text.context})`,
      );
    }
  });
}

const WORDS_PER_RANGE = 2000;

async function findDifferingItems(tx: Tx): Promise<number[]> {
  const differing = new Set<number>();
  let from = "";
  for (;;) {
    const [last] = await tx.all<{ term: string }>(
      sql`select term from temp.word_list where term > ${from} order by term limit 1 offset ${WORDS_PER_RANGE}`,
    );
    const range =
      last === undefined ? sql`term >= ${from}` : sql`term >= ${from} and term < ${last.term}`;
    const actual = sql`select term, doc, col, offset from temp.actual_words where ${range}`;
    const expected = sql`select term, doc, col, offset from temp.expected_words where ${range}`;
    const rows = await tx.all<{ doc: number }>(
      sql`select distinct doc from (${actual} except ${expected}) union select distinct doc from (${expected} except ${actual})`,
    );
    for (const { doc } of rows) differing.add(doc);
    for (const doc of await findMissingByWord(tx, range)) differing.add(doc);
    if (last === undefined) return [...differing].sort((a, b) => a - b);
    from = last.term;
  }
}

/** Words per range that are looked up as a search does, through the index's own lookup table. */
const MAX_LOOKED_UP = 50;

/** Finds rows that a search misses, which the sequential read above does not detect. */
async function findMissingByWord(tx: Tx, range: SQL): Promise<number[]> {
  const rows = await tx.all<{ doc: number }>(
    sql`with words as materialized (select term from temp.word_list where ${range} order by random() limit ${MAX_LOOKED_UP})
      select distinct doc from (
        select words.term, expected.doc from words cross join temp.expected_words expected on expected.term = words.term
        except select words.term, actual.doc from words cross join temp.actual_words actual on actual.term = words.term)`,
  );
  return rows.map(({ doc }) => doc);
}
