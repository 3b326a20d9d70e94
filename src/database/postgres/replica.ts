import { setTimeout as pause } from "node:timers/promises";
import { isCairnError } from "../../shared/errors.ts";
import type { ReplicaState, StatementListener, Tx } from "../database.ts";
import type { PostgresOptions } from "../settings.ts";
import { ConnectionPool, type Lease } from "./connection-pool.ts";
import { beginIn, type Entered, endOfRead, NEWEST_SEQ, READ } from "./enter-database.ts";
import type { Migrations } from "./migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  failureOfRollback,
  findPostgresCode,
  isConnectionLoss,
  translatePostgresError,
} from "./postgres-error.ts";

export interface Wanted {
  readonly schema: string;
  readonly name: string;
  readonly number: number;
  readonly migrations: Migrations;
  /** Event number that the replica must have replayed. */
  readonly seq: number;
}

export interface ReplicaAnswer<T> {
  readonly result: T;
  readonly seq: number;
}

/** An unresponsive replica must not delay readers. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Cool-down of a lagging or unresponsive replica. */
const REST_WHEN_LATE_MS = 1_000;
const REST_WHEN_LOST_MS = 5_000;
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;
/** SQLSTATE of a statement cancelled due to a recovery conflict. */
const CANCELLED_BY_RECOVERY = "40001";

export class Replica {
  readonly #pool: ConnectionPool;
  readonly #shown: string;
  readonly #waitMs: number;
  readonly #after: string;
  #restsUntil = 0;
  #reads = 0;

  constructor(address: PostgresAddress, settings: PostgresOptions) {
    const connectTimeoutMs = Math.min(settings.connectTimeoutMs, CONNECT_TIMEOUT_MS);
    this.#pool = new ConnectionPool(address, { ...settings, connectTimeoutMs });
    this.#shown = address.shown;
    this.#waitMs = settings.replicaWaitMs;
    this.#after = `set local statement_timeout = ${settings.statementTimeoutMs}; ${NEWEST_SEQ}`;
  }

  get isAwake(): boolean {
    return performance.now() >= this.#restsUntil;
  }

  /**
   * Runs a read transaction that includes all wanted events, after a short wait if necessary.
   * Undefined if the primary must be used. Throws errors of `body`.
   */
  async read<T>(
    requested: Wanted,
    body: (tx: Tx) => Promise<T>,
    onStatement?: StatementListener,
  ): Promise<ReplicaAnswer<T> | undefined> {
    const lease = await this.#lease(requested.name, onStatement);
    if (lease === undefined) return undefined;
    try {
      const seq = await this.#catchUp(lease, requested);
      const answer = seq === undefined ? undefined : { result: await body(lease.tx), seq };
      await endOfRead(lease);
      lease.release();
      if (answer === undefined) this.#rest(REST_WHEN_LATE_MS);
      else this.#reads += 1;
      return answer;
    } catch (error) {
      lease.release(await failureOfRollback(lease.client, error));
      if (isConnectionLoss(error)) this.#rest(REST_WHEN_LOST_MS);
      else if (isCairnError(error) || findPostgresCode(error) !== CANCELLED_BY_RECOVERY) {
        throw translatePostgresError(error);
      }
      return undefined;
    }
  }

  async state(primaryPosition: string | undefined): Promise<ReplicaState> {
    const replica = this.#shown;
    const lease = await this.#lease();
    if (lease === undefined) return { replica, isUp: false, reads: this.#reads };
    try {
      const { rows } = await lease.client.query<{ bytes: number | null; seconds: number | null }>(
        `select case when replayed < $1 then pg_wal_lsn_diff($1, replayed) else 0 end::double precision as bytes,
          case when replayed < $1 then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) else 0 end::double precision as seconds
          from (select coalesce(pg_last_wal_replay_lsn(), '0/0') as replayed) as position`,
        [primaryPosition ?? "0/0"],
      );
      lease.release();
      const { bytes = null, seconds = null } = rows[0] ?? {};
      const isKnown = primaryPosition !== undefined;
      return {
        replica,
        isUp: true,
        reads: this.#reads,
        lagBytes: isKnown ? (bytes ?? undefined) : undefined,
        lagSeconds: isKnown ? (seconds ?? undefined) : undefined,
      };
    } catch (error) {
      lease.release(error);
      return { replica, isUp: false, reads: this.#reads };
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Returns undefined if no connection is available. */
  async #lease(database?: string, onStatement?: StatementListener): Promise<Lease | undefined> {
    try {
      return await this.#pool.lease(database, onStatement);
    } catch {
      // The failing server logs the reason; `/metrics` reports the failure.
      this.#rest(REST_WHEN_LOST_MS);
      return undefined;
    }
  }

  /**
   * Opens a transaction that includes the wanted events; undefined if the replica lags too long.
   */
  async #catchUp({ client }: Lease, requested: Wanted): Promise<number | undefined> {
    const deadline = performance.now() + this.#waitMs;
    let next = SHORTEST_PAUSE_MS;
    for (;;) {
      const entered = await beginIn(client, requested, { begin: READ, after: this.#after });
      if (hasWanted(entered, requested)) return entered.seq;
      await client.query("rollback");
      if (performance.now() + next > deadline) return undefined;
      await pause(next);
      next = Math.min(next * 2, LONGEST_PAUSE_MS);
    }
  }

  #rest(ms: number): void {
    this.#restsUntil = performance.now() + ms;
  }
}

function hasWanted(
  entered: Entered | undefined,
  { number, migrations, seq }: Wanted,
): entered is Entered & { readonly seq: number } {
  if (entered?.seq === undefined) return false;
  return entered.number === number && migrations.serves(entered) && entered.seq >= seq;
}
