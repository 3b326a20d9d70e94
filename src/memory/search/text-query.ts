import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";
import type { IndexedItem } from "./load-searchable.ts";
import type { Visibility } from "./visibility.ts";

/**
 * The default number of matches of a search, the same on every engine. More than 100 do not improve results.
 */
export const MAX_MATCHES = 120;

export interface TextQuery {
  readonly kind: IndexedKind;
  /** Numbers of the only items that may be found. */
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
  /** BM25 score, above 0; higher is better. */
  readonly score: number;
}

/** A word to search for in the form of `queryWords`, or a beginning of words. */
export interface Term {
  readonly word: string;
  readonly isBeginning: boolean;
  /** The number of rows that contain it; counted up to one more than are ranked. */
  readonly rows: number;
}

/** One search of the index for the rows to rank. */
export interface RowSearch {
  readonly terms: readonly Term[];
  /** True if a row must contain all of the terms; otherwise any of them. */
  readonly every: boolean;
  /** Number of of the newest rows are ranked. */
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
  /** Adds items that the index does not contain yet. */
  add(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  /** Drops and recreates the index of a kind, empty. */
  makeAnew(tx: Tx, kind: IndexedKind): Promise<void>;
  /** For each searched kind, the number of rows that contain each word. */
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
  /** The best among the newest rows that match a search. */
  rank(tx: Tx, query: TextQuery, search: RowSearch): Promise<TextMatch[]>;
  /**
   * A query for the numbers (`number`) of the items that contain a word which folding does not change, newest
   * first.
   */
  newestHolding(kind: IndexedKind, word: string): SQL;
  /** The number of passages of each unit that contain each term: see `UnitCount`. */
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
  /** Recounts the numbers that the ranking uses. */
  recount?(tx: Tx, kind: IndexedKind): Promise<void>;
}
