import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  insertRows,
  listOfRows,
  listOfValues,
  numberSet,
  numbersParameter,
  preparedQuery,
  rowQuery,
  rowsParameter,
  selectRows,
  type Tx,
} from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { byKind } from "../by-kind.ts";
import type { ContainedTerm, Term, TextIndex } from "../text-query.ts";
import { findTextProblems, rebuildTextTable } from "./check-texts.ts";
import {
  buildExpression,
  countBeginnings,
  countUnits,
  countWords,
  rankRows,
  textTable,
} from "./fts5-search.ts";
import { discountRows, isCounted, recountStatistics } from "./text-statistics.ts";

export const fts5Index: TextIndex = {
  add: (tx, kind, items) =>
    insertTexts[kind](
      tx,
      items.map(({ number, text: { content, context } }) => ({ rowid: number, content, context })),
    ),

  async remove(tx, kind, numbers) {
    if (numbers.length === 0) return;
    await discountRows(tx, kind, numbers);
    await deleteTexts[kind](tx).execute({ numbers: listOfValues(numbers) });
  },

  rebuild: rebuildTextTable,
  countWords,
  countBeginnings,
  looksAhead: false,
  rank: rankRows,
  newestHolding: (kind, word) => {
    const table = textTable(kind);
    return sql`select rowid as number from ${table} where ${table} match ${sql.raw(`'"${word}"'`)} order by rowid desc`;
  },
  countUnits,
  loadContainedTerms: findContainedTerms,
  loadContainedWords: findContainedWords,
  findProblems: findTextProblems,
  countsItsRows: isCounted,
  recount: recountStatistics,
};

const textRows = byKind((kind) =>
  sqliteTable(`${kind}_text`, {
    rowid: integer("rowid"),
    content: text("content"),
    context: text("context"),
  }),
);

const insertTexts = byKind((kind) => insertRows(textRows[kind]));

const deleteTexts = byKind((kind) =>
  preparedQuery((tx) =>
    tx
      .delete(textRows[kind])
      .where(sql`rowid in (${numbersParameter("numbers")})`)
      .prepare(),
  ),
);

const indexedTerms = byKind((kind) => {
  const table = textTable(kind);
  return rowQuery<[term: number, number: number]>(
    () => sql`select asked.term, ${table}.rowid
      from (${rowsParameter("asked", { term: "number", expression: "text" })}) asked
      cross join ${table} on ${table} match asked.expression
      where +${table}.rowid in (${numbersParameter("numbers")})`,
  );
});

async function findContainedTerms(
  tx: Tx,
  kind: IndexedKind,
  { terms, numbers }: { readonly terms: readonly Term[]; readonly numbers: readonly number[] },
): Promise<ContainedTerm[]> {
  const requests = terms.map((term, index) => [
    index,
    buildExpression({ terms: [term], every: false }),
  ]);
  const rows = await indexedTerms[kind](tx, {
    asked: listOfRows(requests),
    numbers: listOfValues(numbers),
  });
  return rows.map(([term, number]) => ({ term, number }));
}

async function findContainedWords(
  tx: Tx,
  item: { readonly kind: IndexedKind; readonly number: number },
  words: readonly string[],
): Promise<string[]> {
  const table = textTable(item.kind);
  const stored: string[] = [];
  // Bound parameters would be floating point, which the full-text index cannot use for lookups.
  for (const word of words) {
    const rows = await selectRows<[number]>(
      tx,
      sql`select rowid from ${table} where ${table} match ${`"${word}"`} and rowid in (${numberSet([item.number])})`,
    );
    if (rows.length > 0) stored.push(word);
  }
  return stored;
}
