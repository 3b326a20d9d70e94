import type { SharedCounts } from "../shared/shared-counts.ts";
import type { Database, DatabaseOptions } from "./database.ts";
import type { StoredRecords } from "./kept-records.ts";
import type { StoredTokens } from "./kept-tokens.ts";
import type { PlaceState } from "./place-state.ts";

export interface StoredDatabase {
  readonly name: string;
  /** Size in bytes, without the write-ahead log. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified_at: string;
}

export interface BinnedDatabase {
  /** The id that `restore` takes. */
  readonly id: string;
  /** The database's former name. */
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
  /** People, their groups and roles, and their log-ins. */
  readonly records: StoredRecords;
  readonly counts: SharedCounts;
  /** Opens the database of this name. Nothing is checked before the first read or write. */
  open(name: string, options?: DatabaseOptions): Database;
  /** The databases by name, without those of other programs. */
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
