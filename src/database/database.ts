import type { Standing } from "./standing.ts";
import type { Engine, Tx } from "./tx.ts";

/** One database of memory, which its first write makes. */
export interface Database {
  readonly engine: Engine;
  /** A server keeps it, whose files nobody reads from here. */
  readonly isOnServer: boolean;
  /** Where it lies, for messages: a folder, or a server without its password. */
  readonly location: string;
  /** The file that a process of its own opens for long work; undefined: the work is done here. */
  readonly fileWorkedOnApart: string | undefined;
  /** Whether anything was ever written to it. */
  isThere(): Promise<boolean>;
  /**
   * Number of the newest event that this process has stored or told; undefined where every read
   * sees all that is stored.
   */
  readonly newestSeen: number | undefined;
  /** Whether it can be read and written by this version; in order where there is none yet. */
  standing(): Promise<Standing>;
  /** A database beside it whose name differs in case only. */
  nameOfOtherCase(): Promise<string | undefined>;
  /**
   * Throws conflict where a read found the file damaged and it still is: what is written to such a
   * file may be there for nobody. To be asked before an ordinary write; mending goes on without.
   */
  requireSound(): Promise<void>;
  /** One transaction, alone among all processes. It is rolled back when `body` rejects. */
  write<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for what follows from other rows and tells no event. It is not alone where the engine
   * can do that: it waits for no writer but one of the same rows, and holds up no other.
   */
  writeDerived<T>(body: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Chooses rows to work on for longer than a transaction may last. Those that `claim` holds of are
   * this process's until `work` ends, or the process does: others pass them over, and wait for nothing.
   */
  claim<Rows, T>(choose: (tx: Tx) => Promise<Rows>, work: (rows: Rows) => Promise<T>): Promise<T>;
  /**
   * Statements that no transaction may hold, one after the other, while all others go on. Nothing is
   * done while another process is at it.
   */
  refine(statements: readonly string[]): Promise<void>;
  /**
   * One read transaction: everything that `body` sees is of one moment. Given a reader, it may be a
   * moment ago, and `body` is run again where a replica fails it.
   */
  read<T>(body: (tx: Tx) => Promise<T>, reader?: Reader): Promise<T>;
  /** A long write, after whose failure a database that was not there is still not there. */
  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Names of half-made files that ended fills have left. */
  abandonedDrafts(): readonly string[];
  removeAbandonedDrafts(): void;
  /**
   * Leaves nothing of what was deleted in what can be read; `keptElsewhere` tells where else it may
   * be. Throws busy when somebody goes on reading what was there.
   */
  erase(): Promise<void>;
  /**
   * Where a text may be that is in no table any more, one sentence each: what was copied before, and
   * what a server keeps besides.
   */
  keptElsewhere(tx: Tx): Promise<string[]>;
  /** Writes anew all that it is stored in, while others wait: in an hour that somebody chooses. */
  rewrite(): Promise<void>;
  /** Where a text is left, byte by byte, however long ago it was deleted. At most 20 places. */
  findBytes(text: string): Promise<LeftOver[]>;
  /** Gives back what it holds open when nobody reads or writes; the next call opens it again. */
  rest(): void;
  /** Waits for the write that is under way, then closes every connection. */
  close(): Promise<void>;
}

export interface WriteOptions {
  /** How long it waits for other processes that write to a file, milliseconds. */
  readonly patienceMs?: number;
}

/** Who reads and need not see what others have just written elsewhere. */
export interface Reader {
  /** The number of the newest event that the reader knows of, and so has to see. */
  readonly seen?: number | undefined;
}

/** Where bytes of a text are left. */
export interface LeftOver {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Bytes from its start. */
  readonly offset: number;
}

export interface DatabaseOptions {
  /** Is told the text of each statement, those that begin and end transactions left out. */
  readonly onStatement?: StatementListener | undefined;
  /**
   * What one long statement does is done in a process of its own: for servers, which answer others
   * meanwhile. Where the engine is a server itself, nothing holds up this process.
   */
  readonly worksApart?: boolean | undefined;
  /** Few pages are kept in memory: for a process that stays though nobody asks it anything. */
  readonly isFrugal?: boolean | undefined;
}

export type StatementListener = (statement: string) => void;
