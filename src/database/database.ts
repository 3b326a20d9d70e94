import type { Standing } from "./standing.ts";
import type { Engine, Tx } from "./tx.ts";

/** A database of memory. Its first write creates it. */
export interface Database {
  readonly engine: Engine;
  /** True if a server stores it, so that this process reads no files of it. */
  readonly isOnServer: boolean;
  /** Its place for messages: a folder, or a server without its password. */
  readonly location: string;
  /** The file that a separate process opens for long work; undefined if the work is done in this process. */
  readonly fileWorkedOnApart: string | undefined;
  /** True if anything was ever written to it. */
  isThere(): Promise<boolean>;
  /**
   * Number of the newest event that this process has stored or reported; undefined if every read sees all
   * that is stored.
   */
  readonly newestSeen: number | undefined;
  /** True if this version can read and write it. A database that does not exist yet is in order. */
  standing(): Promise<Standing>;
  /**
   * True if its tables are those of this version. If not, the next write upgrades them; work in the
   * background of a
   * read must not.
   */
  isCurrent(): Promise<boolean>;
  /** The name of an existing database that differs only in case. */
  nameOfOtherCase(): Promise<string | undefined>;
  /**
   * Throws conflict if a read found the file damaged and it still is, because what is written to such a file
   * may be lost. Call it before an ordinary write; repairs go on without it.
   */
  requireSound(): Promise<void>;
  /**
   * Runs one transaction that excludes all other writers in any process. It is rolled back if `body` rejects.
   */
  write<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A write of derived rows that records no event. If the engine can, it runs beside other writers: it waits
   * only for writers of the same rows and blocks no others.
   */
  writeDerived<T>(body: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Chooses rows to work on for longer than a transaction may last. Rows for which `claim` holds belong to
   * this process until `work` or the process ends; other processes skip them without waiting.
   */
  claim<Rows, T>(choose: (tx: Tx) => Promise<Rows>, work: (rows: Rows) => Promise<T>): Promise<T>;
  refine(statements: readonly string[]): Promise<void>;
  /**
   * Runs one read transaction, in which `body` sees the state of one moment. With a reader the state may be
   * slightly old, and `body` is run again if a replica fails it.
   */
  read<T>(body: (tx: Tx) => Promise<T>, reader?: Reader): Promise<T>;
  /** A long write. If it fails, a database that did not exist before still does not exist. */
  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Names of half-made files that interrupted fills have left. */
  abandonedDrafts(): readonly string[];
  removeAbandonedDrafts(): void;
  /**
   * Erases deleted text from all that can be read; `keptElsewhere` says where else it may be. Throws busy if
   * somebody keeps reading the former state.
   */
  erase(): Promise<void>;
  keptElsewhere(tx: Tx): Promise<string[]>;
  rewrite(): Promise<void>;
  /** Finds remaining bytes of a text, however long ago it was deleted. At most 20 places. */
  findBytes(text: string): Promise<LeftOver[]>;
  rest(): void;
  /** Waits for the current write, then closes every connection. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /** How long to wait for other processes that write to a file, in milliseconds. */
  readonly patienceMs?: number;
}

/** A reader that need not see what others have just written elsewhere. */
export interface Reader {
  /** The number of the newest event that the reader knows of and therefore must see. */
  readonly seen?: number | undefined;
}

/** A place where bytes of a text remain. */
export interface LeftOver {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Offset in bytes from the start of the file. */
  readonly offset: number;
}

export interface DatabaseOptions {
  /** Called with the text of each statement, except those that begin and end transactions. */
  readonly onStatement?: StatementListener | undefined;
  readonly worksApart?: boolean | undefined;
  /** Keep few pages in memory, for a process that lives long and is mostly idle. */
  readonly isFrugal?: boolean | undefined;
}

export type StatementListener = (statement: string) => void;
