import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { SharedCounts } from "../shared/shared-counts.ts";
import type { StoredRecords } from "./kept-records.ts";

export interface StoredToken {
  readonly name: string;
  readonly scope: string;
  /** Limits within its scope, in the form that `src/access` reads. */
  readonly limits?: object | undefined;
  readonly hash: string;
  readonly created_at: string;
  readonly rotated_at?: string | undefined;
}

/** The tokens of a place of databases. Every server of the place sees them. */
export interface StoredTokens {
  list(): Promise<StoredToken[]>;
  add(token: StoredToken): Promise<void>;
  replace(token: StoredToken): Promise<void>;
  remove(name: string): Promise<void>;
  noteUse(name: string): Promise<void>;
  /** When each token was last used, as far as recorded: by name in small letters, ISO 8601, UTC. */
  lastUses(): Promise<ReadonlyMap<string, string>>;
  /**
   * True if servers of the place require a token. True once a first token was made, even if none is
   * left.
   */
  isClosed(): Promise<boolean>;
  /** Lets in everybody who can reach a server, until the next token is made. */
  reopen(): Promise<void>;
  noteServer(id: string): Promise<void>;
  forgetServer(id: string): Promise<void>;
  countServers(): Promise<number>;
}

/** Interval at which servers renew their record, in milliseconds. */
export const RENEWED_MS = 10_000;

/** A server that has not renewed its record for so many milliseconds was killed. */
export const FORGOTTEN_MS = 4 * RENEWED_MS;

export type Engine = "sqlite" | "postgres";

/**
 * A transaction. Every query takes it as its first parameter, and every result is awaited. Only
 * `src/database` and the indexes may ask for its engine; all other SQL must work on every engine.
 */
export type Tx = BaseSQLiteDatabase<"sync" | "async", unknown> & { readonly engine: Engine };

const owners = new WeakMap<object, object>();

/** Declares that a connection reads the same file as the others of this owner. */
export function readsFor(owner: object, tx: Tx): Tx {
  owners.set(tx, owner);
  return tx;
}

export function cachePerFile<Kept>(make: () => Kept): (tx: Tx) => Kept {
  const known = new WeakMap<object, Kept>();
  return (tx) => {
    const owner = owners.get(tx) ?? tx;
    const kept = known.get(owner) ?? make();
    known.set(owner, kept);
    return kept;
  };
}

/** True if a database can be read and written by this version of cairn. */
export interface Standing {
  readonly state: "ok" | "unreachable" | "newer" | "older" | "read_only";
  readonly message: string;
}

export const IN_ORDER: Standing = { state: "ok", message: "" };

/** A database of memory. Its first write creates it. */
export interface Database {
  readonly engine: Engine;
  /** True if a server stores it, so that this process reads no files of it. */
  readonly isOnServer: boolean;
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
  /** Lock timeout for other writing processes, in milliseconds. */
  readonly patienceMs?: number;
}

export interface Reader {
  readonly seen?: number | undefined;
}

export interface LeftOver {
  readonly file: string;
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

export interface StoredDatabase {
  readonly name: string;
  /** Size in bytes, without the write-ahead log. */
  readonly size: number;
  readonly modified_at: string;
}

export interface BinnedDatabase {
  readonly id: string;
  readonly name: string;
  readonly deleted_at: string;
}

export interface MigrateOptions {
  /** Also run scripts that servers of the previous version cannot work with. */
  readonly finish: boolean;
  readonly dryRun: boolean;
}

export interface MigratedDatabase {
  readonly name: string;
  /** Schema versions, as the number of scripts that had run before and have run now. */
  readonly from: number;
  readonly to: number;
  /** The scripts that lead from one version to the other. */
  readonly scripts: readonly string[];
  /** Scripts that only run with `finish`. */
  readonly left: readonly string[];
}

/**
 * A place of databases: a folder of files, or a server. No method overwrites anything. All but `open` throw
 * invalid_input for a bad name, not_found for a missing database, and conflict if a name is taken or a
 * database in use.
 */
export interface DatabasePlace {
  /** Tokens that let callers use these databases over a server. */
  readonly tokens: StoredTokens;
  readonly records: StoredRecords;
  readonly counts: SharedCounts;
  /** Opens the database of this name. Nothing is checked before the first read or write. */
  open(name: string, options?: DatabaseOptions): Database;
  list(): Promise<StoredDatabase[]>;
  create(name: string): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  copy(name: string, to: string): Promise<void>;
  /** Copies like `copy`, into a file outside of the place, which must not exist yet. */
  backup(name: string, path: string): Promise<void>;
  /** Moves the database into the bin, from which `restore` brings it back. */
  remove(name: string, now: Date): Promise<BinnedDatabase>;
  listBin(): Promise<BinnedDatabase[]>;
  /** Restores a database and returns its name: the former one unless `to` gives another. */
  restore(id: string, to: string | undefined): Promise<string>;
  /** Brings every database to the schema of this version, or reports what there is to do. */
  migrate(options: MigrateOptions): Promise<MigratedDatabase[]>;
  state(): Promise<PlaceState>;
  /** Releases what the databases share. They must be closed before. */
  close(): Promise<void>;
}

export interface PlaceState {
  /** Connections of this process; undefined for a folder of files. */
  readonly pool: PoolState | undefined;
  readonly replicas: readonly ReplicaState[];
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface ReplicaState {
  readonly replica: string;
  readonly isUp: boolean;
  readonly reads: number;
  /** Replication lag; undefined if unknown. */
  readonly lagBytes?: number | undefined;
  readonly lagSeconds?: number | undefined;
}
