import type { DatabaseOptions } from "../database.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Migrations } from "./migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import type { Replicas } from "./replicas.ts";

export interface PostgresDatabaseOptions extends DatabaseOptions {
  readonly pool: ConnectionPool;
  /**
   * Connections for `claim` only: its holders need a further connection, and with a shared pool they could
   * block each other.
   */
  readonly claims: ConnectionPool;
  readonly replicas: Replicas;
  readonly migrations: Migrations;
  /** Asks a short question outside of any transaction, without waiting for anybody. */
  readonly ask: <Row extends object>(text: string) => Promise<Row[]>;
  readonly address: PostgresAddress;
  readonly name: string;
}
