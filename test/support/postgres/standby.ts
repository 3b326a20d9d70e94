import { join } from "node:path";
import pg from "pg";
import { waitUntil } from "../wait-until.ts";
import { PostgresServer, type PostgresServerOptions } from "./postgres-server.ts";

export const STANDBY_SETTINGS = {
  wal_level: "replica",
  max_wal_senders: 4,
  synchronous_commit: "on",
} as const;

/** Starts a synchronous standby: from then on, each commit waits for it. */
export async function startStandby(
  primary: PostgresServer,
  options: Omit<PostgresServerOptions, "port">,
): Promise<PostgresServer> {
  const standby = await startReplica(primary, options);
  await ask(primary, "alter system set synchronous_standby_names = '*'");
  await ask(primary, "select pg_reload_conf()");
  await waitUntilFollowed(primary, "sync_state = 'sync'");
  return standby;
}

/** Starts an asynchronous replica, which commits do not wait for. */
export async function startReplica(
  primary: PostgresServer,
  options: Omit<PostgresServerOptions, "port">,
): Promise<PostgresServer> {
  const source = ["--host", "127.0.0.1", "--port", String(primary.port), "--username", "cairn"];
  PostgresServer.prepareFolder(options.folder);
  await primary.run(
    "pg_basebackup",
    ...source,
    ...["--pgdata", join(options.folder, "data"), "--write-recovery-conf"],
    ...["--checkpoint", "fast", "--no-sync"],
  );
  const standby = await PostgresServer.start(options);
  await waitUntilFollowed(primary, "state = 'streaming'");
  return standby;
}

async function waitUntilFollowed(primary: PostgresServer, condition: string): Promise<void> {
  const isFollowed = `select 1 from pg_stat_replication where ${condition}`;
  await waitUntil(async () => (await ask(primary, isFollowed)) > 0, {
    timeoutMs: 60_000,
    intervalMs: 50,
  });
}

export async function promote(standby: PostgresServer): Promise<void> {
  await ask(standby, "select pg_promote()");
  await ask(standby, "alter system reset synchronous_standby_names");
  await ask(standby, "select pg_reload_conf()");
}

async function ask(server: PostgresServer, statement: string): Promise<number> {
  const client = new pg.Client(server.url());
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
