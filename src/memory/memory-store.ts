import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isForeignFile } from "../database/index.ts";
import type { Embedder } from "../embedding/index.ts";
import type { Clock } from "../kernel/clock.ts";
import { invalidInput } from "../kernel/errors.ts";
import type { IdSource } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { isDatabaseName } from "./input/database-name.ts";
import type { MemoryLimits } from "./input/limits.ts";
import { type MemoryEngine, openMemory } from "./open-memory.ts";
import type { Operation } from "./operations/define-operation.ts";
import type { SecretRule } from "./secrets/secret-rules.ts";

export interface MemoryStoreOptions {
  /** Absolute path of the folder that holds the databases. */
  readonly dataDir: string;
  /** The database that is meant when none is named. */
  readonly defaultDatabase: string;
  /** Whether that one reads as empty before its first write. Default: true. */
  readonly defaultReadsAsEmpty?: boolean;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly embedder: Embedder | undefined;
  readonly logger: Logger;
  readonly episodeTypes: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: SecretRule;
  readonly retention?: string;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly vectorsInBackground?: boolean;
}

export interface DatabaseInfo {
  readonly name: string;
  /** Bytes of the file, without its write-ahead log. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified_at: string;
}

/** From this many on, those without a file are forgotten. */
const MAX_OPEN = 256;
/** Each takes about a dozen descriptors while it is read and written. */
const MAX_AWAKE = 32;

/** The databases of a data directory, each opened once. */
export class MemoryStore {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly defaultDatabase: string;
  readonly #options: MemoryStoreOptions;
  readonly #open = new Map<string, MemoryEngine>();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.operations = options.operations;
    this.defaultDatabase = options.defaultDatabase;
  }

  /** The database of this name, or the default one. Throws invalid_input for a bad name. */
  open(name: string = this.defaultDatabase): MemoryEngine {
    if (!isDatabaseName(name)) {
      throw invalidInput(
        "db: a database name is 1 to 64 letters, digits, dots, underscores or hyphens, and starts with a letter or digit",
      );
    }
    const known = this.#open.get(name);
    if (known !== undefined) return this.#use(name, known);
    const { dataDir, defaultDatabase, defaultReadsAsEmpty = true, ...shared } = this.#options;
    const memory = openMemory({
      ...shared,
      name,
      path: join(dataDir, `${name}.db`),
      readsAsEmpty: defaultReadsAsEmpty && name === defaultDatabase,
    });
    this.#forgetAbsent();
    return this.#use(name, memory);
  }

  /** Whether the default database was opened and is there. */
  get hasDefault(): boolean {
    return this.#open.get(this.defaultDatabase)?.exists === true;
  }

  /** Those that were not asked for longest rest, so that a server never runs out of descriptors. */
  #use(name: string, memory: MemoryEngine): MemoryEngine {
    this.#open.delete(name);
    this.#open.set(name, memory);
    const resting = [...this.#open.values()].slice(0, -MAX_AWAKE);
    for (const other of resting) other.rest();
    return memory;
  }

  /** Names that were only asked for, and have no file, must not pile up in a server. */
  #forgetAbsent(): void {
    if (this.#open.size < MAX_OPEN) return;
    for (const [name, memory] of this.#open) {
      if (!memory.exists && name !== this.defaultDatabase) this.#open.delete(name);
    }
  }

  /** Databases that exist, by name; those of other programs are left out. */
  list(): DatabaseInfo[] {
    return fileNames(this.#options.dataDir)
      .filter((file) => file.endsWith(".db") && isDatabaseName(file.slice(0, -3)))
      .sort()
      .flatMap((file) => {
        const path = join(this.#options.dataDir, file);
        const stats = statSync(path, { throwIfNoEntry: false });
        if (stats === undefined || !stats.isFile() || stats.size === 0) return [];
        if (isForeignFile(path)) return [];
        const name = file.slice(0, -3);
        return { name, size: stats.size, modified_at: stats.mtime.toISOString() };
      });
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), (memory) => memory.close()));
  }
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
