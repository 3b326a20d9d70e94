import type { SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";
import type { IndexedItem } from "./load-searchable.ts";
import type { Visibility } from "./visibility.ts";

/** Matches that a search gives unless it is asked for fewer; the same on every engine. More than 100 find no more. */
export const MOST_MATCHES = 120;

export interface TextQuery {
  readonly kind: IndexedKind;
  /** Numbers of the only items that may be found. */
  readonly among?: readonly number[] | undefined;
  /** What of the rest may be found; default all. */
  readonly visible?: Visibility | undefined;
  /** At most so many, the best; default 120. */
  readonly most?: number | undefined;
  /** The rows that its words may have together; default as many as are worth their time. */
  readonly rows?: number | undefined;
}

/** Decimals of a score that count: what is behind them depends on the order in which an engine adds. */
export const SCORE_DIGITS = 12;

export interface TextMatch {
  readonly number: number;
  /** BM25; higher is better, above 0. */
  readonly score: number;
}

/** A word to search for, as `queryWords` gives it, or what words begin with. */
export interface Term {
  readonly word: string;
  readonly isBeginning: boolean;
  /** In how many rows it stands; at most one more than are ranked. */
  readonly rows: number;
}

/** One search of the index for the rows to rank. */
export interface RowSearch {
  readonly terms: readonly Term[];
  /** A row must hold all of the terms; else any of them. */
  readonly every: boolean;
  /** How many of the newest rows are ranked. */
  readonly rows: number;
}

/** A word that is sought by its beginnings. */
export interface Shortened {
  readonly word: string;
  readonly shortest: string;
  /** The word first, then ever shorter ones. */
  readonly beginnings: readonly string[];
}

/** In how many rows of a kind a word stands; of a beginning, the word that it is of. */
export interface WordCount {
  readonly kind: IndexedKind;
  readonly word: string;
  readonly rows: number;
}

export interface BeginningCount extends WordCount {
  readonly beginning: string;
}

/** How many passages of a unit hold a term: see `UNIT_OF_PASSAGE`. */
export interface UnitCount {
  readonly term: number;
  readonly unit: number;
  readonly passages: number;
}

/** At most so many rows are counted; 0 for a kind that is not searched. */
export interface MostRows extends Readonly<Record<IndexedKind, number>> {
  /** Whether the search looks at the time for each row, and ends when it is up. */
  readonly isTimed: boolean;
}

export function kindsSearched(most: MostRows): readonly IndexedKind[] {
  return INDEXED_KINDS.filter((kind) => most[kind] > 0);
}

/** The words of items, and the items of words: one for each engine. */
export interface TextIndex {
  /** Adds items that the index does not hold. */
  add(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  /** Makes the index of a kind anew, empty. */
  makeAnew(tx: Tx, kind: IndexedKind): Promise<void>;
  /** In how many rows of each kind that is searched each word stands. */
  countWords(tx: Tx, words: readonly string[], most: MostRows): Promise<WordCount[]>;
  /** The same for beginnings; those of a word whose shortest no row holds may be left out. */
  countBeginnings(
    tx: Tx,
    asked: Readonly<Record<IndexedKind, readonly Shortened[]>>,
    most: MostRows,
  ): Promise<BeginningCount[]>;
  /** The best of the newest rows that a search finds. */
  rank(tx: Tx, query: TextQuery, search: RowSearch): Promise<TextMatch[]>;
  /** A query for the numbers (`number`) of the items that hold a word which nothing folds, the newest first. */
  newestHolding(kind: IndexedKind, word: string): SQL;
  /** In how many passages of each unit each of the terms stands: see `UnitCount`. */
  countUnits(tx: Tx, terms: readonly Term[], visible: Visibility): Promise<UnitCount[]>;
  /** Which of the words an item holds. */
  wordsHeld(
    tx: Tx,
    item: { readonly kind: IndexedKind; readonly number: number },
    words: readonly string[],
  ): Promise<string[]>;
  /** What is wrong with the rows of the index, and with their words where these are comparable. */
  findProblems(
    tx: Tx,
    kind: IndexedKind,
    what: { readonly words: boolean },
  ): Promise<readonly Problem[]>;
  /** Of an index that may count what is gone: whether it counts as many items as it holds. */
  countsItsRows?(tx: Tx, kind: IndexedKind): Promise<boolean>;
  /** Counts anew what is ranked by. */
  recount?(tx: Tx, kind: IndexedKind): Promise<void>;
}
