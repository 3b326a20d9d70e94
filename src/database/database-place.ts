import type { Database, DatabaseOptions } from "./database.ts";
import type { KeptRecords } from "./kept-records.ts";
import type { KeptTokens } from "./kept-tokens.ts";
import type { PlaceState } from "./place-state.ts";

export interface StoredDatabase {
  readonly name: string;
  /** Bytes that it takes, without a write-ahead log. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified_at: string;
}

/** A database that was deleted and can be brought back. */
export interface BinnedDatabase {
  /** What `restore` takes. */
  readonly id: string;
  /** As it was called. */
  readonly name: string;
  readonly deleted_at: string;
}

export interface MigrateOptions {
  /** With what servers of the version before do not bear. */
  readonly finish: boolean;
  readonly dryRun: boolean;
}

/** What a migration has done with a database, or would do. */
export interface MigratedDatabase {
  readonly name: string;
  /** Schemas: how many scripts had run before, and have run now. */
  readonly from: number;
  readonly to: number;
  /** Those that lead from one to the other. */
  readonly scripts: readonly string[];
  /** Those that only run to finish. */
  readonly left: readonly string[];
}

/**
 * Where databases lie: a folder of files, or a server. Nothing overwrites anything. All but `open`
 * throw invalid_input for a bad name, not_found for one that is not there, conflict for one that
 * is taken or in use.
 */
export interface DatabasePlace {
  /** Who may come to these databases over a server. */
  readonly tokens: KeptTokens;
  /** People, their groups and roles, and their log-ins. */
  readonly records: KeptRecords;
  /** The database of this name. Nothing is looked at before it is read or written. */
  open(name: string, options?: DatabaseOptions): Database;
  /** By name; those of other programs are left out. */
  list(): Promise<StoredDatabase[]>;
  create(name: string): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  /** Of one moment, while others go on writing. */
  copy(name: string, to: string): Promise<void>;
  /** The same into a file outside, which must not be there yet. */
  backup(name: string, path: string): Promise<void>;
  /** Into the bin, from which `restore` brings it back. */
  remove(name: string, now: Date): Promise<BinnedDatabase>;
  listBin(): Promise<BinnedDatabase[]>;
  /** Returns the name under which it is there again: its own, unless another one is given. */
  restore(id: string, to: string | undefined): Promise<string>;
  /** Brings every database to the schema of this version, or says what there is to do. */
  migrate(options: MigrateOptions): Promise<MigratedDatabase[]>;
  state(): Promise<PlaceState>;
  /** Ends what its databases share; they are closed before. */
  close(): Promise<void>;
}
