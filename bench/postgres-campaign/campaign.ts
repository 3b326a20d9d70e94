import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { PostgresServer } from "../../test/support/postgres/postgres-server.ts";
import { STANDBY_SETTINGS } from "../../test/support/postgres/standby.ts";
import { TcpProxy } from "../../test/support/tcp-proxy.ts";
import { ServeProcess } from "../support/serve-process.ts";

export const SERVER_SETTINGS = { ...STANDBY_SETTINGS, max_connections: 40 } as const;

/**
 * Test environment of a round: two `cairn serve` on one PostgreSQL server behind a network that
 * can fail.
 */
export class Campaign implements AsyncDisposable {
  readonly folder: string;
  readonly proxy: TcpProxy;
  readonly servers: ServeProcess[] = [];
  postgres: PostgresServer;
  standby: PostgresServer | undefined;
  #made = 0;

  /** `within` is a folder for the server's data, such as a mount with little space. */
  static async open(within?: string): Promise<Campaign> {
    const folder = mkdtempSync(join(tmpdir(), "cairn-postgres-campaign-"));
    chmodSync(folder, 0o755);
    const postgres = await PostgresServer.start({
      folder: join(within ?? folder, "server-0"),
      durable: true,
      settings: SERVER_SETTINGS,
    });
    const ground = new Campaign(folder, postgres, await TcpProxy.start(postgres.port));
    await ground.query("create database campaign");
    for (let n = 0; n < 2; n += 1) await ground.addServer();
    return ground;
  }

  private constructor(folder: string, postgres: PostgresServer, proxy: TcpProxy) {
    this.folder = folder;
    this.postgres = postgres;
    this.proxy = proxy;
  }

  get variables(): Readonly<Record<string, string>> {
    return { CAIRN_DATABASE: this.proxy.urlOf(this.postgres.url("campaign")) };
  }

  addresses(): string[] {
    return this.servers.map(({ url }) => url);
  }

  async addServer(): Promise<void> {
    this.servers.push(await ServeProcess.start(this.folder, this.variables));
  }

  /** Returns a new folder for another server. */
  newServerFolder(): string {
    this.#made += 1;
    return join(this.folder, `server-${this.#made}`);
  }

  /** Queries the server directly, not through the proxy. */
  async query(statement: string, database = "postgres"): Promise<Record<string, unknown>[]> {
    const client = await this.connect(database);
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async connect(database: string): Promise<pg.Client> {
    const client = new pg.Client(this.postgres.url(database));
    // The connection may be cut; the next query then rejects.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.end("SIGKILL");
    await this.proxy[Symbol.asyncDispose]();
    await this.postgres.stop();
    await this.standby?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
