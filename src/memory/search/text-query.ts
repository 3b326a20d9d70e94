import type { SQL } from "drizzle-orm";
import { and, isNull, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import {
  listOfValues,
  numbersNamed,
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
} from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { concepts } from "../concepts/concept.table.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";
import { entitiesOfEpisodes } from "../entities/mention.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { passages } from "../sources/source.table.ts";
import {
  conceptEmbeddingText,
  type SearchableText,
  searchableConcept,
  searchableEpisode,
  searchablePassage,
} from "./searchable-text.ts";
import type { Visibility } from "./visibility.ts";

/** Guards against a damaged cell, so that the other items can still be found; the doctor reports it. */
const readableTags =
  sql`case when json_valid(${concepts.tags}) then ${concepts.tags} else '[]' end`.mapWith(
    concepts.tags,
  );

export interface IndexedItem {
  readonly number: number;
  readonly text: SearchableText;
}

interface SearchableItem extends IndexedItem {
  readonly embeddingText: string;
}

/**
 * The searchable text of these items, without deleted ones. This is the one place that decides what recall
 * can find.
 */
export async function loadSearchable(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<SearchableItem[]> {
  return numbers.length === 0 ? [] : LOADERS[kind](tx, numbers);
}

type LoadTexts = (tx: Tx, numbers: readonly number[]) => Promise<SearchableItem[]>;

const LOADERS: Readonly<Record<IndexedKind, LoadTexts>> = {
  episode: loadEpisodeTexts,
  concept: loadConceptTexts,
  passage: loadPassageTexts,
};

async function loadEpisodeTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await episodeTexts(tx).execute({ numbers: listOfValues(numbers) });
  const mentions = groupBy(await entitiesOfEpisodes(tx, numbers), (row) => row.episodeId);
  return rows.map((row) => ({
    number: row.number,
    text: searchableEpisode({
      ...row,
      entityNames: (mentions.get(row.number) ?? []).map(({ entity }) => entity.name),
    }),
    embeddingText: row.content,
  }));
}

async function loadConceptTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await conceptTexts(tx).execute({ numbers: listOfValues(numbers) });
  return rows.map((row) => ({
    number: row.number,
    text: searchableConcept(row),
    embeddingText: conceptEmbeddingText(row),
  }));
}

async function loadPassageTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await passageTexts(tx).execute({ numbers: listOfValues(numbers) });
  return rows.map((row) => ({
    number: row.number,
    text: searchablePassage(row),
    embeddingText: row.content,
  }));
}

const passageTexts = preparedQuery((tx) =>
  tx
    .select({
      number: passages.id,
      content: passages.content,
      assertedBy: passages.assertedBy,
      occurredAt: passages.occurredAt,
      files: passages.files,
    })
    .from(passages)
    .where(and(sql`${passages.id} in (${numbersNamed("numbers")})`, isNull(passages.deletedAt)))
    .prepare(),
);

const episodeTexts = preparedQuery((tx) =>
  tx
    .select({
      number: episodes.id,
      content: episodes.content,
      assertedBy: episodes.assertedBy,
      occurredAt: episodes.occurredAt,
    })
    .from(episodes)
    .where(and(sql`${episodes.id} in (${numbersNamed("numbers")})`, isNull(episodes.deletedAt)))
    .prepare(),
);

const conceptTexts = preparedQuery((tx) =>
  tx
    .select({
      number: concepts.id,
      title: concepts.title,
      summary: concepts.summary,
      tags: readableTags,
    })
    .from(concepts)
    .where(and(sql`${concepts.id} in (${numbersNamed("numbers")})`, isNull(concepts.deletedAt)))
    .prepare(),
);

/**
 * The default number of matches of a search, the same on every engine. More than 100 do not improve results.
 */
export const MAX_MATCHES = 120;

export interface TextQuery {
  readonly kind: IndexedKind;
  readonly among?: readonly number[] | undefined;
  /** Which of the remaining items may be found; default all. */
  readonly visible?: Visibility | undefined;
  /** The largest number of matches, best first; default 120. */
  readonly most?: number | undefined;
  /** The number of rows that the words may match together; default as many as are worth their time. */
  readonly rows?: number | undefined;
}

/** Significant decimals of a score. Further ones depend on the order in which an engine adds. */
export const SCORE_DIGITS = 12;

export interface TextMatch {
  readonly number: number;
  readonly score: number;
}

export interface Term {
  readonly word: string;
  readonly isBeginning: boolean;
  /** The number of rows that contain it; counted up to one more than are ranked. */
  readonly rows: number;
}

export interface RowSearch {
  readonly terms: readonly Term[];
  /** True if a row must contain all of the terms; otherwise any of them. */
  readonly every: boolean;
  readonly rows: number;
}

/** A word that is searched by its beginnings. */
export interface Shortened {
  readonly word: string;
  readonly shortest: string;
  /** The word itself, then ever shorter beginnings. */
  readonly beginnings: readonly string[];
}

/** The number of rows of a kind that contain a word. For a beginning, also the word it belongs to. */
export interface WordCount {
  readonly kind: IndexedKind;
  readonly word: string;
  readonly rows: number;
}

export interface BeginningCount extends WordCount {
  readonly beginning: string;
}

/** Number of passages of a unit contain a term: see `UNIT_OF_PASSAGE`. */
export interface UnitCount {
  readonly term: number;
  readonly unit: number;
  readonly passages: number;
}

export interface HeldTerm {
  readonly term: number;
  readonly number: number;
}

/** The largest row count for each kind; 0 for a kind that is not searched. */
export interface MostRows extends Readonly<Record<IndexedKind, number>> {
  /** True if the search checks the time for each row and ends when it is up. */
  readonly isTimed: boolean;
}

export function kindsSearched(most: MostRows): readonly IndexedKind[] {
  return INDEXED_KINDS.filter((kind) => most[kind] > 0);
}

/** The index of the words of items. Each engine has its own implementation. */
export interface TextIndex {
  add(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  makeAnew(tx: Tx, kind: IndexedKind): Promise<void>;
  countWords(tx: Tx, words: readonly string[], most: MostRows): Promise<WordCount[]>;
  /**
   * Counts like `countWords` for beginnings. A word may be left out if no row contains its shortest
   * beginning, or if a row contains the word itself.
   */
  countBeginnings(
    tx: Tx,
    asked: Readonly<Record<IndexedKind, readonly Shortened[]>>,
    most: MostRows,
  ): Promise<BeginningCount[]>;
  /**
   * True if beginnings are counted at the same time as words, before it is known which words are
   * missing:
   * where a round trip takes longer than looking.
   */
  readonly looksAhead: boolean;
  rank(tx: Tx, query: TextQuery, search: RowSearch): Promise<TextMatch[]>;
  /**
   * A query for the numbers (`number`) of the items that contain a word which folding does not change, newest
   * first.
   */
  newestHolding(kind: IndexedKind, word: string): SQL;
  countUnits(tx: Tx, terms: readonly Term[], visible: Visibility): Promise<UnitCount[]>;
  /** Which of these items contain which of the terms. */
  termsHeld(
    tx: Tx,
    kind: IndexedKind,
    asked: { readonly terms: readonly Term[]; readonly numbers: readonly number[] },
  ): Promise<HeldTerm[]>;
  wordsHeld(
    tx: Tx,
    item: { readonly kind: IndexedKind; readonly number: number },
    words: readonly string[],
  ): Promise<string[]>;
  findProblems(
    tx: Tx,
    kind: IndexedKind,
    what: { readonly words: boolean },
  ): Promise<readonly Problem[]>;
  /** For an index that may count deleted items: whether its count matches what it holds. */
  countsItsRows?(tx: Tx, kind: IndexedKind): Promise<boolean>;
  recount?(tx: Tx, kind: IndexedKind): Promise<void>;
}

/** A bound for the segments of a source, far above any real number of them. */
const SEGMENTS = 2 ** 24;

/**
 * The unit that a row of `passages` belongs to, which is a segment of its source. What was said in one go is
 * one unit; each commit or section is a unit of its own.
 */
export const UNIT_OF_PASSAGE = sql.raw(`(passages.source_id * ${SEGMENTS} + passages.segment)`);

export function unitPlace(unit: number): { readonly source: number; readonly segment: number } {
  return { source: Math.floor(unit / SEGMENTS), segment: unit % SEGMENTS };
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

/**
 * For each term and unit, the number of visible passages with the term. `held` is what the engine's index
 * contains: a column `term`, joined to `passages`.
 */
export function unitCounts(
  held: () => { readonly term: SQL; readonly from: SQL },
): (tx: Tx, visible: Visibility, terms: QueryValues) => Promise<UnitCount[]> {
  const rowsOf = rowQuery<[term: number, unit: number, passages: number], UnitShape>(
    ({ visible }) => {
      const { term, from } = held();
      return sql`select ${term}, ${UNIT_OF_PASSAGE} as unit, count(*) from ${from}
        where ${visible.condition} group by ${term}, unit`;
    },
  );
  return async (tx, visible, terms) => {
    const values = { ...visible.values, ...terms };
    const rows = await rowsOf(tx, values, { shape: visible.shape, visible });
    return rows.map(([term, unit, passages]) => ({ term, unit, passages }));
  };
}
