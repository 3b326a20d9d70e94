import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { openDatabaseBackend } from "../../src/database/index.ts";
import type { Embedder } from "../../src/embedding/index.ts";
import {
  createOperations,
  isDatabaseName,
  type MemoryEngine,
  openMemory,
} from "../../src/memory/index.ts";
import { stderrLogger } from "../../src/shared/logger.ts";
import { PostgresServer } from "../../test/support/postgres/postgres-server.ts";

/** Typical for a dedicated server with some memory; default durability. */
const SETTINGS = {
  shared_buffers: "1GB",
  maintenance_work_mem: "512MB",
  max_wal_size: "8GB",
  checkpoint_timeout: "15min",
  track_io_timing: "off",
} as const;

export interface BenchPostgresOptions {
  /**
   * Address of a running server in the form of CAIRN_DATABASE. The user must be allowed to create
   * databases.
   */
  readonly address?: string | undefined;
  /** Round-trip time of a simulated network, in milliseconds. */
  readonly networkMs?: number | undefined;
  /** Further settings of a server that the bench starts. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A PostgreSQL server for benches, with one database per memory. If CAIRN_BENCH_KEEP names a
 * folder, the data stay there and the next run reuses the filled databases.
 */
export class BenchPostgres implements AsyncDisposable {
  readonly #address: string;
  readonly #server: PostgresServer | undefined;
  readonly #temporary: string | undefined;
  readonly #network: SlowNetwork | undefined;

  static async open({
    address,
    networkMs = 0,
    settings = {},
  }: BenchPostgresOptions): Promise<BenchPostgres> {
    if (address !== undefined) return new BenchPostgres({ address, network: undefined });
    const keep = process.env.CAIRN_BENCH_KEEP;
    const temporary = keep === undefined ? mkdtempSync(join(tmpdir(), "cairn-bench-")) : undefined;
    const folder = temporary ?? resolve(keep ?? "");
    mkdirSync(folder, { recursive: true });
    // The server runs as another user, who needs access to its subfolder.
    chmodSync(folder, 0o755);
    const server = await PostgresServer.start({
      ...{
        folder: join(folder, "postgres"),
        durable: true,
        settings: { ...SETTINGS, ...settings },
      },
    });
    const network = networkMs > 0 ? await SlowNetwork.start(server.port, networkMs) : undefined;
    return new BenchPostgres({ address: server.url(), server, temporary, network });
  }

  private constructor(parts: {
    readonly address: string;
    readonly server?: PostgresServer;
    readonly temporary?: string | undefined;
    readonly network: SlowNetwork | undefined;
  }) {
    this.#address = parts.address;
    this.#server = parts.server;
    this.#temporary = parts.temporary;
    this.#network = parts.network;
  }

  /** Address in the form of CAIRN_DATABASE, through the simulated network if there is one. */
  urlOf(database: string): string {
    const url = new URL(this.#address);
    url.pathname = `/${database}`;
    if (this.#network !== undefined) url.port = String(this.#network.port);
    return url.href;
  }

  /** Opens a memory in the database of this name. Creates the database if necessary. */
  async memoryIn(database: string, embedder: Embedder | undefined): Promise<MemoryEngine> {
    const known = await this.#ask(`select 1 from pg_database where datname = '${database}'`);
    if (known.length === 0) await this.#ask(`create database "${database}"`);
    return this.#memory(database, embedder);
  }

  /**
   * Runs `body` with a memory that `fill` has filled, and with its database name. A stored
   * database stays unchanged: `body` gets a copy.
   */
  async withFilled<T>(
    { name, embedder, fill }: PostgresFilling,
    body: (memory: MemoryEngine, database: string) => Promise<T>,
  ): Promise<T> {
    const known = await this.#ask(`select 1 from pg_database where datname = '${name}'`);
    if (known.length === 0) {
      const unfinished = `${name}_${process.pid}`;
      const memory = await this.memoryIn(unfinished, embedder);
      await fill(memory);
      await memory.close();
      await this.#ask(`alter database "${unfinished}" rename to "${name}"`);
    }
    const copy = `${name}_${process.pid}_copy`;
    await this.#ask(`create database "${copy}" template "${name}" strategy file_copy`);
    const memory = this.#memory(copy, embedder);
    try {
      return await body(memory, copy);
    } finally {
      await memory.close();
      await this.drop(copy);
    }
  }

  /** Creates an empty database, replacing any of the same name. */
  async makeEmpty(database: string): Promise<void> {
    await this.drop(database);
    await this.#ask(`create database "${database}"`);
  }

  async drop(database: string): Promise<void> {
    await this.#ask(`drop database if exists "${database}" with (force)`);
  }

  /** Process ids of the server's backends for this database, if visible from this machine. */
  async backendsOf(database: string): Promise<readonly number[]> {
    const rows = await this.#ask(
      `select pid from pg_stat_activity where datname = '${database}' and backend_type = 'client backend'`,
    );
    return rows.map(({ pid }) => Number(pid)).filter((pid) => isPostgres(pid));
  }

  async sizeOf(database: string): Promise<number> {
    const [row] = await this.#ask(`select pg_database_size('${database}') as size`);
    return Number(row?.size ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network?.stop();
    await this.#server?.stop();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }

  #memory(database: string, embedder: Embedder | undefined): MemoryEngine {
    const address = this.urlOf(database);
    const backend = openDatabaseBackend({ folder: "", address, isName: isDatabaseName });
    const memory = openMemory({
      name: "bench",
      database: backend.open("bench"),
      embedder,
      operations: createOperations(),
      logger: stderrLogger(),
    });
    const close = memory.close.bind(memory);
    return Object.assign(memory, {
      close: async () => {
        await close();
        await backend.close();
      },
    });
  }

  async #ask(statement: string): Promise<Record<string, unknown>[]> {
    const url = new URL(this.#address);
    if (this.#server !== undefined) url.pathname = "/postgres";
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }
}

export interface PostgresFilling {
  /** Lowercase letters, digits and underscores. */
  readonly name: string;
  readonly embedder: Embedder | undefined;
  fill(memory: MemoryEngine): Promise<void>;
}

/** CPU milliseconds of these processes so far. */
export function readCpuMs(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    const path = `/proc/${pid}/schedstat`;
    if (existsSync(path)) nanoseconds += Number(readFileSync(path, "utf8").split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

function isPostgres(pid: number): boolean {
  const path = `/proc/${pid}/comm`;
  return existsSync(path) && readFileSync(path, "utf8").startsWith("postgres");
}

class SlowNetwork {
  readonly port: number;
  readonly #child: ChildProcess;

  static async start(serverPort: number, roundTripMs: number): Promise<SlowNetwork> {
    const program = join(import.meta.dirname, "slow-network.ts");
    const child = spawn(
      process.execPath,
      ["--import", "tsx", program, String(serverPort), String(roundTripMs)],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return new SlowNetwork(child, Number(line));
  }

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    await ended;
  }
}
