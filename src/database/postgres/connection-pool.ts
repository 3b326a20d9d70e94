import { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { ClientBase, Pool, PoolClient } from "pg";
import type { PoolState, StatementListener, Tx } from "../database.ts";
import type { PostgresOptions } from "../settings.ts";
import { requireNotStopped } from "../time-limit.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { tlsOptions } from "./postgres-address.ts";
import { PostgresDialect } from "./postgres-dialect.ts";
import { findPostgresCode, isConnectionLoss, translatePostgresError } from "./postgres-error.ts";
import { PostgresSession } from "./postgres-session.ts";
import { StatementStream } from "./statement-stream.ts";

/** SQLSTATE "read-only transaction": a replica rejects a write. */
const READ_ONLY_CODE = "25006";
const IDLE_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * Detects a lost peer within a minute. Otherwise a server with a pending response would hold its
 * transaction's locks indefinitely.
 */
const KEEP_ALIVE_STATEMENTS = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3; set tcp_user_timeout = 40000;`;

export interface Lease {
  readonly client: PoolClient;
  readonly tx: Tx;
  readonly statements: StatementStream;
  /** Returns the connection, or closes it if a failure may have left it in an unknown state. */
  release(failure?: unknown): void;
}

interface Channel {
  readonly tx: Tx;
  readonly statements: StatementStream;
}

/** Lazy connections of this process to one server, for all its databases. */
export class ConnectionPool {
  readonly settings: PostgresOptions;
  readonly #address: PostgresAddress;
  readonly #dialect = new PostgresDialect();
  readonly #channels = new WeakMap<PoolClient, Channel>();
  readonly #pools = new Map<number, Promise<Pool>>();
  /** Index of the host that last responded. */
  #host = 0;

  constructor(address: PostgresAddress, settings: PostgresOptions) {
    this.#address = address;
    this.settings = settings;
  }

  /** Behind a pooler, each transaction may use another session. */
  get isPooled(): boolean {
    return this.#address.isPooled;
  }

  /** Leases a connection for one transaction in a database, or outside any. */
  async lease(database = "", onStatement?: StatementListener): Promise<Lease> {
    try {
      const { client, host } = await this.#connect();
      const channel = this.#channelOn(client, onStatement);
      channel.statements.reset(database);
      return createLease(client, channel, (failure) => this.#noteFailure(host, failure));
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  /** Connects to the last responding host, or else to the next one that responds. */
  async #connect(): Promise<{ readonly client: PoolClient; readonly host: number }> {
    const { length } = this.#address.urls;
    const first = this.#host;
    for (let tried = 0; ; tried += 1) {
      const host = (first + tried) % length;
      try {
        const client = await (await this.#opened(host)).connect();
        this.#host = host;
        return { client, host };
      } catch (error) {
        if (tried === length - 1 || !isHostError(error)) throw error;
      }
    }
  }

  #opened(host: number): Promise<Pool> {
    const known = this.#pools.get(host);
    if (known !== undefined) return known;
    const opening = openPool(this.#address, host, this.settings);
    this.#pools.set(host, opening);
    opening.catch(() => this.#pools.delete(host));
    return opening;
  }

  #noteFailure(host: number, failure: unknown): void {
    if (!this.#address.mustWrite || findPostgresCode(failure) !== READ_ONLY_CODE) return;
    const pool = this.#pools.get(host);
    this.#pools.delete(host);
    // Leased connections end with their lease.
    void pool?.then((open) => open.end()).catch(() => undefined);
  }

  async state(): Promise<PoolState> {
    const opened = await Promise.allSettled(this.#pools.values());
    const pools = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const sum = (of: (pool: Pool) => number) => pools.reduce((all, pool) => all + of(pool), 0);
    return {
      total: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      waiting: sum(({ waitingCount }) => waitingCount),
    };
  }

  /** Runs `body` outside a transaction. A failed connection is not reused. */
  async use<T>(body: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await this.lease();
    try {
      const result = await body(lease);
      lease.release();
      return result;
    } catch (error) {
      lease.release(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(async (pool) => (await pool).end()));
  }

  #channelOn(client: PoolClient, onStatement: StatementListener | undefined): Channel {
    if (onStatement !== undefined) return this.#newChannel(client, onStatement);
    const known = this.#channels.get(client) ?? this.#newChannel(client);
    this.#channels.set(client, known);
    return known;
  }

  #newChannel(client: PoolClient, onStatement?: StatementListener): Channel {
    const statements = new StatementStream(client, { named: !this.isPooled });
    const logger = {
      logQuery: (statement: string) => {
        requireNotStopped(tx);
        onStatement?.(statement);
      },
    };
    const session = new PostgresSession(statements, this.#dialect, logger);
    const queries = new BaseSQLiteDatabase("async", this.#dialect, session, undefined);
    const tx = Object.assign(queries, { engine: "postgres" as const });
    return { tx, statements };
  }
}

export function withLimit(text: string, limitMs: number) {
  return { text, query_timeout: limitMs };
}

function createLease(
  client: PoolClient,
  channel: Channel,
  onFailure: (failure: unknown) => void,
): Lease {
  const lost: { reason?: Error } = {};
  const noteLoss = (reason: Error) => {
    lost.reason = reason;
  };
  client.on("error", noteLoss);
  return {
    client,
    ...channel,
    release: (failure) => {
      client.off("error", noteLoss);
      onFailure(failure);
      client.release(failure !== undefined || lost.reason !== undefined);
    },
  };
}

/** Returns true if the failure is specific to this host, so that another may work. */
function isHostError(error: unknown): boolean {
  return isConnectionLoss(error) || findPostgresCode(error) === READ_ONLY_CODE;
}

/** Throws the error that a write to a read-only server would cause. */
async function requireWriter(client: ClientBase): Promise<void> {
  await client.query(
    `do $$ begin if current_setting('transaction_read_only') = 'on' then
      raise 'this server only reads' using errcode = '${READ_ONLY_CODE}'; end if; end $$`,
  );
}

async function openPool(
  { urls, tls, mustWrite, isPooled }: PostgresAddress,
  host: number,
  { poolSize, connectTimeoutMs }: PostgresOptions,
): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: urls[host],
    pipeline: true,
    ...(tls !== undefined && { ssl: tlsOptions(tls) }),
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: "cairn",
    allowExitOnIdle: true,
    onConnect: async (client) => {
      if (!isPooled) await client.query(KEEP_ALIVE_STATEMENTS);
      if (mustWrite) await requireWriter(client);
    },
  });
  // The next lease replaces a connection closed by the server and reports errors.
  pool.on("error", () => undefined);
  return pool;
}
