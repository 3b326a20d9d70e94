import { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { Pool, PoolClient } from "pg";
import type { StatementListener } from "../database.ts";
import type { PoolState } from "../place-state.ts";
import type { PostgresSettings } from "../settings.ts";
import type { Tx } from "../tx.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { PostgresDialect } from "./postgres-dialect.ts";
import { translatePostgresError } from "./postgres-error.ts";
import { PostgresSession } from "./postgres-session.ts";
import { tlsOptions } from "./postgres-tls.ts";
import { StatementStream } from "./statement-stream.ts";

const IDLE_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * Either side notices within a minute that the other one is gone without a word: a server that still
 * had an answer to send would keep the locks of its transaction for as long as it tries.
 */
const NOTICE_LOSS = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3; set tcp_user_timeout = 40000;`;

/** A connection that one transaction has to itself. */
export interface Lease {
  readonly client: PoolClient;
  readonly tx: Tx;
  /** Those of `tx`. */
  readonly statements: StatementStream;
  /** Gives it back; one that a failure may have left in an unknown state is closed. */
  release(failure?: unknown): void;
}

interface Channel {
  readonly tx: Tx;
  readonly statements: StatementStream;
}

/** The connections of a process to one server, for all its databases. Made when first needed. */
export class ConnectionPool {
  readonly settings: PostgresSettings;
  readonly #address: PostgresAddress;
  readonly #dialect = new PostgresDialect();
  /** Queries are prepared once for each connection, so each keeps its own. */
  readonly #channels = new WeakMap<PoolClient, Channel>();
  #pool: Promise<Pool> | undefined;

  constructor(address: PostgresAddress, settings: PostgresSettings) {
    this.#address = address;
    this.settings = settings;
  }

  async lease(onStatement?: StatementListener): Promise<Lease> {
    try {
      const client = await (await this.#opened()).connect();
      const channel = this.#channelOn(client, onStatement);
      channel.statements.beginAnew();
      return leaseOf(client, channel);
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  /** A file of certificates that is missing may be there the next time. */
  #opened(): Promise<Pool> {
    this.#pool ??= openPool(this.#address, this.settings).catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    return this.#pool;
  }

  /** Of the connections that were made so far. */
  async state(): Promise<PoolState> {
    const pool = await this.#pool?.catch(() => undefined);
    return {
      total: pool?.totalCount ?? 0,
      idle: pool?.idleCount ?? 0,
      waiting: pool?.waitingCount ?? 0,
    };
  }

  /** Asks outside of any transaction; a connection that fails is not used again. */
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
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.end();
  }

  #channelOn(client: PoolClient, onStatement: StatementListener | undefined): Channel {
    if (onStatement !== undefined) return this.#newChannel(client, onStatement);
    const known = this.#channels.get(client) ?? this.#newChannel(client);
    this.#channels.set(client, known);
    return known;
  }

  #newChannel(client: PoolClient, onStatement?: StatementListener): Channel {
    const statements = new StatementStream(client);
    const logger = onStatement && { logQuery: onStatement };
    const session = new PostgresSession(statements, this.#dialect, logger);
    const queries = new BaseSQLiteDatabase("async", this.#dialect, session, undefined);
    return { tx: Object.assign(queries, { engine: "postgres" as const }), statements };
  }
}

/** A statement whose connection is given up when nothing came back; the driver's types do not know it. */
export function withLimit(text: string, limitMs: number) {
  return { text, query_timeout: limitMs };
}

/** A connection that ends while nothing is asked of it must not end the process. */
function leaseOf(client: PoolClient, channel: Channel): Lease {
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
      client.release(failure !== undefined || lost.reason !== undefined);
    },
  };
}

/** The driver is loaded for those alone who use it. */
async function openPool(
  { url, tls }: PostgresAddress,
  { poolSize, connectTimeoutMs }: PostgresSettings,
): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    pipeline: true,
    ...(tls !== undefined && { ssl: tlsOptions(tls) }),
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: "cairn",
    // A process that has nothing else to do ends, whatever connections are idle.
    allowExitOnIdle: true,
    onConnect: async (client) => {
      await client.query(NOTICE_LOSS);
    },
  });
  // An idle connection that the server ends is replaced by the next lease, which tells what is wrong.
  pool.on("error", () => undefined);
  return pool;
}
