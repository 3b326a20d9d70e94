import type { SQL } from "drizzle-orm";
import { and, isNull, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import {
  listOfValues,
  numbersParameter,
  preparedQuery,
  type QueryShape,
  type QueryValues,
  rowQuery,
} from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { concepts } from "../concepts/concept.table.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";
import { loadEntitiesOfEpisodes } from "../entities/mention.queries.ts";
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

/** Tolerates a damaged cell, which the doctor reports. */
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

export async function loadSearchable(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<SearchableItem[]> {
  return numbers.length === 0 ? [] : TEXT_LOADERS[kind](tx, numbers);
}

type LoadTexts = (tx: Tx, numbers: readonly number[]) => Promise<SearchableItem[]>;

const TEXT_LOADERS: Readonly<Record<IndexedKind, LoadTexts>> = {
  episode: loadEpisodeTexts,
  concept: loadConceptTexts,
  passage: loadPassageTexts,
};

async function loadEpisodeTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await episodeTexts(tx).execute({ numbers: listOfValues(numbers) });
  const mentions = groupBy(await loadEntitiesOfEpisodes(tx, numbers), (row) => row.episodeId);
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
    .where(and(sql`${passages.id} in (${numbersParameter("numbers")})`, isNull(passages.deletedAt)))
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
    .where(and(sql`${episodes.id} in (${numbersParameter("numbers")})`, isNull(episodes.deletedAt)))
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
    .where(and(sql`${concepts.id} in (${numbersParameter("numbers")})`, isNull(concepts.deletedAt)))
    .prepare(),
);

/** Default number of matches on every engine. More than 100 do not improve results. */
export const MAX_MATCHES = 120;

export interface TextQuery {
  readonly kind: IndexedKind;
  readonly allowedNumbers?: readonly number[] | undefined;
  readonly visible?: Visibility | undefined;
  readonly limit?: number | undefined;
  /** Maximum rows that the words may match in total; default: a limit by cost. */
  readonly rows?: number | undefined;
}

/** Significant decimals of a score; further ones depend on summation order. */
export const SCORE_DIGITS = 12;

export interface TextMatch {
  readonly number: number;
  readonly score: number;
}

export interface Term {
  readonly word: string;
  readonly isBeginning: boolean;
  readonly rows: number;
}

export interface RowSearch {
  readonly terms: readonly Term[];
  /** True if a row must contain all terms; otherwise any of them. */
  readonly every: boolean;
  readonly rows: number;
}

export interface Shortened {
  readonly word: string;
  readonly shortest: string;
  /** The word itself, then ever shorter prefixes. */
  readonly beginnings: readonly string[];
}

/** Number of rows of a kind with a word; for a prefix, also the original word. */
export interface WordCount {
  readonly kind: IndexedKind;
  readonly word: string;
  readonly rows: number;
}

export interface BeginningCount extends WordCount {
  readonly beginning: string;
}

/** Number of a unit's passages with a term: see `UNIT_OF_PASSAGE`. */
export interface UnitCount {
  readonly term: number;
  readonly unit: number;
  readonly passages: number;
}

export interface ContainedTerm {
  readonly term: number;
  readonly number: number;
}

/** Row limit by kind; 0 for kinds that are not searched. */
export interface RowLimits extends Readonly<Record<IndexedKind, number>> {
  readonly isTimed: boolean;
}

export function listSearchedKinds(limit: RowLimits): readonly IndexedKind[] {
  return INDEXED_KINDS.filter((kind) => limit[kind] > 0);
}

export interface TextIndex {
  add(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  rebuild(tx: Tx, kind: IndexedKind): Promise<void>;
  countWords(tx: Tx, words: readonly string[], limit: RowLimits): Promise<WordCount[]>;
  /** `countWords` for prefixes. May omit words that exist or whose shortest prefix has no match. */
  countBeginnings(
    tx: Tx,
    request: Readonly<Record<IndexedKind, readonly Shortened[]>>,
    limit: RowLimits,
  ): Promise<BeginningCount[]>;
  /** True if prefixes are counted in parallel with words, to save round trips. */
  readonly looksAhead: boolean;
  rank(tx: Tx, query: TextQuery, search: RowSearch): Promise<TextMatch[]>;
  /** Subquery of the items (`number`) that contain an unfoldable word, newest first. */
  newestHolding(kind: IndexedKind, word: string): SQL;
  countUnits(tx: Tx, terms: readonly Term[], visible: Visibility): Promise<UnitCount[]>;
  loadContainedTerms(
    tx: Tx,
    kind: IndexedKind,
    request: { readonly terms: readonly Term[]; readonly numbers: readonly number[] },
  ): Promise<ContainedTerm[]>;
  loadContainedWords(
    tx: Tx,
    item: { readonly kind: IndexedKind; readonly number: number },
    words: readonly string[],
  ): Promise<string[]>;
  findProblems(
    tx: Tx,
    kind: IndexedKind,
    what: { readonly words: boolean },
  ): Promise<readonly Problem[]>;
  /** Returns whether the index's row count is correct, for indexes that may count deleted items. */
  countsItsRows?(tx: Tx, kind: IndexedKind): Promise<boolean>;
  recount?(tx: Tx, kind: IndexedKind): Promise<void>;
}

const MAX_SEGMENTS_PER_SOURCE = 2 ** 24;

/** SQL expression of a passage's unit: its conversation segment, or the commit or section. */
export const UNIT_OF_PASSAGE = sql.raw(
  `(passages.source_id * ${MAX_SEGMENTS_PER_SOURCE} + passages.segment)`,
);

export function decodeUnit(unit: number): { readonly source: number; readonly segment: number } {
  return {
    source: Math.floor(unit / MAX_SEGMENTS_PER_SOURCE),
    segment: unit % MAX_SEGMENTS_PER_SOURCE,
  };
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

/** Counts visible passages by term and unit. `joinTerms` selects the column `term`, joined to `passages`. */
export function unitCounts(
  joinTerms: () => { readonly term: SQL; readonly from: SQL },
): (tx: Tx, visible: Visibility, terms: QueryValues) => Promise<UnitCount[]> {
  const getRows = rowQuery<[term: number, unit: number, passages: number], UnitShape>(
    ({ visible }) => {
      const { term, from } = joinTerms();
      return sql`select ${term}, ${UNIT_OF_PASSAGE} as unit, count(*) from ${from}
        where ${visible.condition} group by ${term}, unit`;
    },
  );
  return async (tx, visible, terms) => {
    const values = { ...visible.values, ...terms };
    const rows = await getRows(tx, values, { shape: visible.shape, visible });
    return rows.map(([term, unit, passages]) => ({ term, unit, passages }));
  };
}
