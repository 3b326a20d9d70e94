import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import {
  listOfRows,
  listOfValues,
  numberSet,
  numbersParameter,
  rowQuery,
  rowSet,
  rowsParameter,
  selectRows,
  type Tx,
} from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, createRowProblem, type Problem } from "../../context/problem.ts";
import { byKind } from "../by-kind.ts";
import { activeNumbers, itemId, itemTable, loadInSlices, publicName } from "../indexed-items.ts";
import type { IndexedItem, TextIndex } from "../text-query.ts";
import { loadSearchable, type Term, type UnitCount, unitCounts } from "../text-query.ts";
import type { Visibility } from "../visibility.ts";
import { countBeginnings, countWords, rankRows } from "./postings-search.ts";
import { itemsTable, wordsTable } from "./postings-tables.ts";
import { prefixEnd, stemKey, weighWords } from "./weigh-words.ts";

async function findTextProblems(
  tx: Tx,
  kind: IndexedKind,
  { words }: { readonly words: boolean },
): Promise<readonly Problem[]> {
  return [
    ...(await findRows(tx, kind)),
    ...(words
      ? createProblem(
          `The text index disagrees with the texts of ${kind}s.`,
          (await findDifferingItems(tx, kind)).map((number) => publicName(kind, number)),
        )
      : []),
    ...(await findTotals(tx, kind)),
  ];
}

async function findRows(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const stored = sql`select number from ${itemsTable(kind)}`;
  return [
    ...(await createRowProblem(
      tx,
      `Active ${kind}s are missing from the text index.`,
      sql`select ${itemId(kind, sql`id`)} as item from (${active} except ${stored}) missing`,
    )),
    ...(await createRowProblem(
      tx,
      `The text index contains ${kind}s that are deleted or missing.`,
      sql`select number as item from (${stored} except ${active}) stray`,
    )),
  ];
}

async function findDifferingItems(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const existing = await tx.all<{ number: number; length: number; fingerprint: number }>(
    sql`select number, min(length) as length, sum(${FINGERPRINT_EXPRESSION}) as fingerprint from ${wordsTable(kind)} group by number having min(length) = max(length)`,
  );
  const known = new Map(
    existing.map(({ number, length, fingerprint }) => [number, `${length} ${fingerprint}`]),
  );
  const listed = sql`select number, unnest(words) as word from ${itemsTable(kind)}`;
  const stored = sql`select number, word from ${wordsTable(kind)}`;
  const uneven = await tx.all<{ number: number }>(
    sql`select number from (${listed} except ${stored}) lacking union select number from (${stored} except ${listed}) further`,
  );
  const differing = new Set(uneven.map(({ number }) => number));
  const numbers = await activeNumbers(tx, kind);
  await loadInSlices(numbers, async (slice) => {
    for (const { number, text } of await loadSearchable(tx, kind, slice)) {
      const { weights, length } = weighWords(text);
      const expected = weights.size === 0 ? undefined : `${length} ${computeFingerprint(weights)}`;
      if (known.get(number) !== expected) differing.add(number);
    }
  });
  return numbers.filter((number) => differing.has(number));
}

/** Checks the number and total length of all items, which BM25 uses. */
async function findTotals(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const [row] = await tx.all<{
    items: number;
    words: number;
    told: number | null;
    of: number | null;
  }>(
    sql`select count(*) as items, coalesce(sum(length), 0) as words,
      (select items from text_totals where kind = ${kind}) as told,
      (select words from text_totals where kind = ${kind}) as of
      from ${itemsTable(kind)}`,
  );
  const { items = 0, words = 0, told, of } = row ?? {};
  const isRight = (told ?? 0) === items && (of ?? 0) === words;
  return createProblem(`The text index has a wrong count of ${kind}s.`, isRight ? [] : [kind]);
}

const FINGERPRINT_EXPRESSION = sql`('x' || substr(md5(word || ' ' || weight), 1, 8))::bit(32)::bigint`;

/** Order-independent checksum of an item's words and weights. */
function computeFingerprint(weights: ReadonlyMap<string, number>): string {
  let sum = 0n;
  for (const [word, weight] of weights) {
    const digest = createHash("md5").update(`${word} ${weight}`).digest("hex");
    sum += BigInt(`0x${digest.slice(0, 8)}`);
  }
  return String(sum);
}

function countUnits(tx: Tx, terms: readonly Term[], visible: Visibility): Promise<UnitCount[]> {
  const getRows = (isBeginning: boolean) =>
    listOfRows(
      terms.flatMap((term, index) => {
        const key = stemKey(term.word);
        return term.isBeginning === isBeginning ? [[index, key, prefixEnd(key)]] : [];
      }),
    );
  return countContained(tx, visible, { whole: getRows(false), begun: getRows(true) });
}

const POSTING_COLUMNS = { term: "number", word: "text", word_end: "text" } as const;

const countContained = unitCounts(() => {
  const words = wordsTable("passage");
  return {
    term: sql`held.term`,
    from: sql`(
        select whole.term, words.number from (${rowsParameter("whole", POSTING_COLUMNS)}) whole
        join ${words} words on words.word = whole.word
        union
        select begun.term, words.number from (${rowsParameter("begun", POSTING_COLUMNS)}) begun
        join ${words} words on words.word >= begun.word and words.word < begun.word_end
      ) held
      join passages on passages.id = held.number`,
  };
});

/** Stores a row per word and item for BM25, which PostgreSQL's full-text search lacks. */
export const postingsIndex: TextIndex = {
  add: addItems,
  remove: removeItems,

  async rebuild(tx, kind) {
    await tx.run(sql`truncate ${wordsTable(kind)}, ${itemsTable(kind)}`);
    await tx.run(sql`delete from text_totals where kind = ${kind}`);
  },

  countWords,
  countBeginnings,
  looksAhead: true,
  rank: rankRows,
  newestHolding: (kind, word) =>
    sql`select number from ${wordsTable(kind)} where word = ${sql.raw(`'${word}'`)} order by number desc`,
  countUnits,

  async loadContainedTerms(tx, kind, { terms, numbers }) {
    const getRows = (isBeginning: boolean) =>
      listOfRows(
        terms.flatMap((term, index) => {
          const key = stemKey(term.word);
          return term.isBeginning === isBeginning ? [[index, key, prefixEnd(key)]] : [];
        }),
      );
    const rows = await indexedTerms[kind](tx, {
      whole: getRows(false),
      begun: getRows(true),
      numbers: listOfValues(numbers),
    });
    return rows.map(([term, number]) => ({ term, number }));
  },

  async loadContainedWords(tx, { kind, number }, words) {
    const rows = await selectRows<[word: string]>(
      tx,
      sql`select unnest(words) as word from ${itemsTable(kind)} where number = ${number}`,
    );
    const stored = new Set(rows.map(([word]) => word));
    return words.filter((word) => stored.has(stemKey(word)));
  },

  findProblems: findTextProblems,
};

const TERM_COLUMNS = { term: "number", word: "text", word_end: "text" } as const;

const indexedTerms = byKind((kind) => {
  const words = wordsTable(kind);
  const among = sql`(words.number in (${numbersParameter("numbers")})) is true`;
  return rowQuery<[term: number, number: number]>(
    () => sql`select whole.term, words.number from (${rowsParameter("whole", TERM_COLUMNS)}) whole
      join ${words} words on words.word = whole.word where ${among}
      union
      select begun.term, words.number from (${rowsParameter("begun", TERM_COLUMNS)}) begun
      join ${words} words on words.word >= begun.word and words.word < begun.word_end where ${among}`,
  );
});

async function addItems(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void> {
  if (items.length === 0) return;
  const weighed = items.map(({ number, text }) => ({ number, ...weighWords(text) }));
  const input = listOfRows(weighed.map(({ number, length }) => [number, length]));
  const postings = listOfRows(
    weighed.flatMap(({ number, weights }) =>
      Array.from(weights, ([word, weight]) => [number, word, weight]),
    ),
  );
  await tx.run(sql`
    with given as materialized (
      ${rowSet(input, { number: "number", length: "number" })}
    ), postings as materialized (
      ${rowSet(postings, { number: "number", word: "text", weight: "number" })}
    ), of_items as (
      select number, array_agg(word) as words from postings group by number
    ), items as (
      insert into ${itemsTable(kind)} (number, length, words)
      select given.number, given.length, coalesce(of_items.words, '{}')
      from given left join of_items on of_items.number = given.number
    ), words as (
      insert into ${wordsTable(kind)} (word, number, weight, length)
      select postings.word, postings.number, postings.weight, given.length
      from postings join given on given.number = postings.number
    )
    insert into text_totals (kind, items, words)
    select ${kind}, count(*), sum(length) from given
    on conflict (kind) do update set items = text_totals.items + excluded.items,
      words = text_totals.words + excluded.words`);
}

async function removeItems(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const words = wordsTable(kind);
  await tx.run(sql`
    with gone as (
      delete from ${itemsTable(kind)} where number in (${numberSet(numbers)})
      returning number, length, words
    ), held as (
      select number, unnest(words) as word from gone
    ), words as (
      delete from ${words} using held
      where ${words}.word = held.word and ${words}.number = held.number
    )
    update text_totals set items = items - (select count(*) from gone),
      words = words - (select coalesce(sum(length), 0) from gone)
    where kind = ${kind}`);
}
