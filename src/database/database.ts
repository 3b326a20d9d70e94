import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { StoredRecords } from "./record-store.ts";

export interface StoredToken {
  readonly name: string;
  readonly scope: string;
  /** Limits within its scope, as defined by `src/access`. */
  readonly limits?: object | undefined;
  readonly hash: string;
  readonly created_at: string;
  readonly rotated_at?: string | undefined;
}

export interface StoredTokens {
  list(): Promise<StoredToken[]>;
  add(token: StoredToken): Promise<void>;
  replace(token: StoredToken): Promise<void>;
  remove(name: string): Promise<void>;
  noteUse(name: string): Promise<void>;
  /** Last use of each token as recorded: lower-case name to ISO 8601 UTC. */
  lastUses(): Promise<ReadonlyMap<string, string>>;
  isClosed(): Promise<boolean>;
  /** Disables the token requirement until the next token is created. */
  reopen(): Promise<void>;
  noteServer(id: string): Promise<void>;
  forgetServer(id: string): Promise<void>;
  countServers(): Promise<number>;
}

/** Interval at which servers renew their record. */
export const RENEWAL_INTERVAL_MS = 10_000;

/** A server that has not renewed its record for this long is considered dead. */
export const EXPIRY_MS = 4 * RENEWAL_INTERVAL_MS;

export type Engine = "sqlite" | "postgres";

/**
 * A transaction. Queries take it as their first parameter, and results are awaited. Only
 * `src/database` and the indexes may inspect its engine; all other SQL must be portable.
 */
export type Tx = BaseSQLiteDatabase<"sync" | "async", unknown> & { readonly engine: Engine };

const owners = new WeakMap<object, object>();

/** Declares that a connection reads the same file as this owner's others. */
export function createReads(owner: object, tx: Tx): Tx {
  owners.set(tx, owner);
  return tx;
}

export function cachePerFile<Cached>(make: () => Cached): (tx: Tx) => Cached {
  const known = new WeakMap<object, Cached>();
  return (tx) => {
    const owner = owners.get(tx) ?? tx;
    const stored = known.get(owner) ?? make();
    known.set(owner, stored);
    return stored;
  };
}

export interface DatabaseStatus {
  readonly state: "ok" | "unreachable" | "newer" | "older" | "read_only";
  readonly message: string;
}

export const OK_STATUS: DatabaseStatus = { state: "ok", message: "" };

export interface Database {
  readonly engine: Engine;
  /** True if a server stores it, so that this process reads no files. */
  readonly isOnServer: boolean;
  readonly location: string;
  /** File for work in a separate process; undefined if the work is done in this process. */
  readonly fileWorkedOnApart: string | undefined;
  exists(): Promise<boolean>;
  /** A database that does not exist is compatible. */
  status(): Promise<DatabaseStatus>;
  /** False if the next write would upgrade the schema; background work of reads must not. */
  isCurrent(): Promise<boolean>;
  /** Returns the name of an existing database that differs only in case. */
  nameOfOtherCase(): Promise<string | undefined>;
  /**
   * Throws conflict if a read found the file damaged and it still is, because writes to such a file
   * may be lost. Called before ordinary writes, not before repairs.
   */
  requireSound(): Promise<void>;
  /** Runs a transaction that excludes all other writers. Rolled back if `body` rejects. */
  write<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Writes derived rows without an event. If the engine supports it, runs concurrently with other
   * writers and waits only for writers of the same rows.
   */
  writeDerived<T>(body: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Chooses rows to process for longer than a transaction may last. Rows for which `claim` is true
   * belong to this process until `work` or the process ends; other processes skip them.
   */
  claim<Rows, T>(choose: (tx: Tx) => Promise<Rows>, work: (rows: Rows) => Promise<T>): Promise<T>;
  refine(statements: readonly string[]): Promise<void>;
  /** Runs a read transaction on one snapshot. */
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** A long write. If it fails, a database that did not exist is not created. */
  fill<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Names of incomplete files left by interrupted fills. */
  abandonedDrafts(): readonly string[];
  removeAbandonedDrafts(): void;
  /**
   * Erases deleted text from all readable storage; `findOtherCopies` lists where it may remain.
   * Throws busy if an earlier snapshot is still being read.
   */
  erase(): Promise<void>;
  findOtherCopies(tx: Tx): Promise<string[]>;
  rewrite(): Promise<void>;
  /** Finds remaining bytes of a text. At most 20 locations. */
  findBytes(text: string): Promise<TextOccurrence[]>;
  rest(): void;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** Lock timeout for writers in other processes. */
  readonly lockTimeoutMs?: number;
}

export interface TextOccurrence {
  readonly file: string;
  readonly offset: number;
}

export interface DatabaseOptions {
  /** Called with the text of each statement, except begin and end of transactions. */
  readonly onStatement?: StatementListener | undefined;
  readonly usesSeparateProcesses?: boolean | undefined;
  /** Uses a small page cache, for long-lived idle processes. */
  readonly isFrugal?: boolean | undefined;
}

export type StatementListener = (statement: string) => void;

export interface StoredDatabase {
  readonly name: string;
  readonly size: number;
  readonly modified_at: string;
}

export interface BinnedDatabase {
  readonly id: string;
  readonly name: string;
  readonly deleted_at: string;
}

export interface MigrateOptions {
  /** Also runs scripts that are incompatible with servers of the previous version. */
  readonly finish: boolean;
  readonly dryRun: boolean;
}

export interface MigratedDatabase {
  readonly name: string;
  /** Schema versions before and after, as numbers of scripts. */
  readonly from: number;
  readonly to: number;
  readonly scripts: readonly string[];
  readonly left: readonly string[];
}

/**
 * A store of databases: a folder of files, or a server. Never overwrites anything. All methods but
 * `open` throw invalid_input for an invalid name, not_found for a missing database, and conflict if
 * a name or database is in use.
 */
export interface DatabaseBackend {
  readonly tokens: StoredTokens;
  readonly records: StoredRecords;
  open(name: string, options?: DatabaseOptions): Database;
  list(): Promise<StoredDatabase[]>;
  create(name: string): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  copy(name: string, to: string): Promise<void>;
  /** Copies like `copy`, to a file outside the store, which must not exist. */
  backup(name: string, path: string): Promise<void>;
  /** Moves the database to the bin, from which `restore` recovers it. */
  remove(name: string, now: Date): Promise<BinnedDatabase>;
  listBin(): Promise<BinnedDatabase[]>;
  /** Restores a database and returns its name: the former one unless `to` is given. */
  restore(id: string, to: string | undefined): Promise<string>;
  migrate(options: MigrateOptions): Promise<MigratedDatabase[]>;
  state(): Promise<BackendState>;
  /** Releases shared resources. Databases must be closed first. */
  close(): Promise<void>;
}

export interface BackendState {
  /** Connections of this process; undefined for a folder. */
  readonly pool: PoolState | undefined;
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}
