import { existsSync, linkSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { makeFolder, temporaryName } from "../../shared/files.ts";
import type {
  BackendState,
  BinnedDatabase,
  Database,
  DatabaseBackend,
  DatabaseOptions,
  MigratedDatabase,
  MigrateOptions,
  StoredDatabase,
} from "../database.ts";
import { RecordedCopies } from "../recorded-copies.ts";
import {
  databaseFileExists,
  fileIdentity,
  fileSize,
  makePrivate,
  tryStat,
} from "./database-file.ts";
import { ForeignDatabase, requireOwnFile, schemaOfFile } from "./migrate.ts";
import { openConnection, openForReading, writeError } from "./open-connection.ts";
import { OpenFile } from "./open-file.ts";
import { RecordFile } from "./record-file.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import { TokenFolder } from "./token-folder.ts";

const BIN_FOLDER = "bin";
const TOKENS_FOLDER = join("tokens", "people");
const RECORDS_FILE = join("tokens", "identity.db");
const DATABASE_EXTENSION = ".db";
const BINNED_NAME = /^(.+)-(\d{8}T\d{9}Z)$/;

export class DatabaseFolder implements DatabaseBackend {
  readonly tokens: TokenFolder;
  readonly records: RecordFile;
  readonly #folder: string;
  readonly #copies: RecordedCopies;
  readonly #isName: (name: string) => boolean;
  readonly #writeTimeoutMs: number | undefined;

  constructor(folder: string, isName: (name: string) => boolean, writeTimeoutMs?: number) {
    this.#folder = folder;
    this.#copies = new RecordedCopies(folder);
    this.#isName = isName;
    this.#writeTimeoutMs = writeTimeoutMs;
    this.tokens = new TokenFolder(join(folder, TOKENS_FOLDER));
    this.records = new RecordFile(join(folder, RECORDS_FILE));
  }

  open(name: string, options: DatabaseOptions = {}): Database {
    const writeTimeoutMs = this.#writeTimeoutMs;
    const path = this.#getPath(name);
    return new SqliteDatabase({
      ...options,
      path,
      ...(writeTimeoutMs !== undefined && { writeTimeoutMs }),
    });
  }

  async list(): Promise<StoredDatabase[]> {
    return listFiles(this.#folder).flatMap(({ name, size, changed }) =>
      this.#isName(name) && !isForeignFile(this.#getPath(name))
        ? [{ name, size, modified_at: changed }]
        : [],
    );
  }

  async create(name: string): Promise<void> {
    this.#requireFree(name);
    const database = this.open(name);
    try {
      await database.write(() => Promise.resolve());
    } finally {
      await database.close();
    }
  }

  async rename(name: string, to: string): Promise<void> {
    this.#requireThere(name);
    this.#requireFree(to, name);
    settleLog(this.#getPath(name));
    moveFile(this.#getPath(name), this.#getPath(to));
    this.#copies.renamed(name, to);
  }

  async copy(name: string, to: string): Promise<void> {
    this.#requireThere(name);
    this.#requireFree(to);
    await backUp(this.#getPath(name), this.#getPath(to));
    this.#copies.add({ kind: "copy", database: name, target: to });
  }

  async backup(name: string, path: string): Promise<void> {
    this.#requireThere(name);
    if (existsSync(path)) throw stateConflict(`${path} already exists; name another file`);
    if (!existsSync(dirname(path))) {
      throw invalidInput(`There is no folder ${dirname(path)}; create it, or name another file`);
    }
    await backUp(this.#getPath(name), path);
    this.#copies.add({ kind: "backup", database: name, target: resolve(path) });
  }

  async remove(name: string, now: Date): Promise<BinnedDatabase> {
    this.#requireThere(name);
    makeFolder(join(this.#folder, BIN_FOLDER));
    settleLog(this.#getPath(name));
    const stamp = now.toISOString().replace(/[-:.]/g, "");
    const id = `${name}-${stamp}`;
    moveFile(this.#getPath(name), this.#getPath(id, BIN_FOLDER));
    return { id, name, deleted_at: now.toISOString() };
  }

  async listBin(): Promise<BinnedDatabase[]> {
    return listFiles(join(this.#folder, BIN_FOLDER)).flatMap(({ name: id }) => {
      const [, name = "", stamp = ""] = BINNED_NAME.exec(id) ?? [];
      return name === "" ? [] : [{ id, name, deleted_at: parseStamp(stamp) }];
    });
  }

  async restore(id: string, to: string | undefined): Promise<string> {
    const binned = (await this.listBin()).find((one) => one.id === id);
    if (binned === undefined) throw notFound(`The bin does not contain "${id}".`);
    const name = to ?? binned.name;
    this.#requireFree(name);
    moveFile(this.#getPath(id, BIN_FOLDER), this.#getPath(name));
    return name;
  }

  async migrate({ dryRun }: MigrateOptions): Promise<MigratedDatabase[]> {
    const migrated: MigratedDatabase[] = [];
    for (const { name } of await this.list()) {
      const { version, newest, pending } = schemaOfFile(this.#getPath(name));
      if (!dryRun && pending.length > 0) await this.#bringUpToDate(name);
      migrated.push({ name, from: version, to: newest, scripts: [...pending], left: [] });
    }
    return migrated;
  }

  async #bringUpToDate(name: string): Promise<void> {
    const database = this.open(name);
    try {
      await database.write(() => Promise.resolve());
    } finally {
      await database.close();
    }
  }

  state(): Promise<BackendState> {
    return Promise.resolve({ pool: undefined });
  }

  close(): Promise<void> {
    return this.records.close();
  }

  #getPath(name: string, folder = "."): string {
    return join(this.#folder, folder, `${name}${DATABASE_EXTENSION}`);
  }

  #requireThere(name: string): void {
    this.#requireName(name);
    if (!databaseFileExists(this.#getPath(name))) {
      throw notFound(`There is no database "${name}". \`cairn db list\` names those that exist.`);
    }
    if (isForeignFile(this.#getPath(name))) {
      throw stateConflict(`"${name}" belongs to another program and is not a cairn database.`);
    }
  }

  /** Some file systems treat `Shop` and `shop` as the same file. */
  #requireFree(name: string, except?: string): void {
    this.#requireName(name);
    const there = listFiles(this.#folder).find(
      (file) => file.name.toLowerCase() === name.toLowerCase() && file.name !== except,
    );
    if (there !== undefined) {
      throw stateConflict(`There is a database "${there.name}" already; choose another name.`);
    }
  }

  #requireName(name: string): void {
    if (this.#isName(name)) return;
    throw invalidInput(
      `"${name.slice(0, 80)}" is not a valid database name: use 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first`,
    );
  }
}

/** Checkpoints the log. Throws busy while any process has the file open. */
function settleLog(path: string): void {
  const connection = openConnection({ path });
  try {
    connection.pragma("busy_timeout = 200");
    connection.pragma("journal_mode = DELETE");
  } catch {
    throw stateConflict(
      "The database is in use, by this or another process: stop what reads or writes it (a server, an agent), then try again.",
    );
  } finally {
    connection.close();
  }
}

/** Makes a complete copy under a free name, concurrently with reads and writes. */
async function backUp(path: string, target: string): Promise<void> {
  const draft = temporaryName(target);
  const connection = openForReading({ path });
  try {
    await connection.backup(draft);
    makePrivate(draft);
    moveFile(draft, target);
  } catch (error) {
    throw writeError(error, target);
  } finally {
    connection.close();
    for (const ending of ["", "-wal", "-shm", "-journal"])
      rmSync(`${draft}${ending}`, { force: true });
  }
}

/** Never overwrites a file: a link fails if the target exists, a rename would not. */
function moveFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw stateConflict(`${basename(to)} already exists; choose another name.`);
    }
    throw error;
  }
  unlinkSync(from);
}

function listFiles(folder: string): { name: string; size: number; changed: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(DATABASE_EXTENSION))
    .sort()
    .flatMap((file) => {
      const stats = tryStat(join(folder, file));
      if (stats === undefined || !stats.isFile() || stats.size === 0n) return [];
      const name = file.slice(0, -DATABASE_EXTENSION.length);
      return [{ name, size: Number(stats.size), changed: stats.mtime.toISOString() }];
    });
}

function parseStamp(stamp: string): string {
  return stamp.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z$/,
    "$1-$2-$3T$4:$5:$6.$7Z",
  );
}

function isForeignFile(path: string): boolean {
  const identity = fileIdentity(path);
  if (identity === undefined || fileSize(path) === 0 || OpenFile.isLocked(identity)) return false;
  try {
    requireOwnFile(path);
    return false;
  } catch (error) {
    // A damaged database is listed, so that `doctor` can check it.
    return error instanceof ForeignDatabase;
  }
}
