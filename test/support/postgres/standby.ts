import { join } from "node:path";
import pg from "pg";
import { until } from "../until.ts";
import { PostgresServer, type PostgresServerOptions } from "./postgres-server.ts";

/** Settings of a server that is to have a standby which misses nothing that was acknowledged. */
export const FOR_A_STANDBY = {
  wal_level: "replica",
  max_wal_senders: 4,
  synchronous_commit: "on",
} as const;

/**
 * A copy of a running server that follows it. From when it follows, the server acknowledges a commit
 * only when the standby holds it, too.
 */
export async function startStandby(
  primary: PostgresServer,
  options: Omit<PostgresServerOptions, "port">,
): Promise<PostgresServer> {
  const standby = await startReplica(primary, options);
  await ask(primary, "alter system set synchronous_standby_names = '*'");
  await ask(primary, "select pg_reload_conf()");
  await untilFollowed(primary, "sync_state = 'sync'");
  return standby;
}

/** The same, for which the server waits with nothing. */
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
  await untilFollowed(primary, "state = 'streaming'");
  return standby;
}

async function untilFollowed(primary: PostgresServer, condition: string): Promise<void> {
  const isFollowed = `select 1 from pg_stat_replication where ${condition}`;
  await until(async () => (await ask(primary, isFollowed)) > 0, { limitMs: 60_000, everyMs: 50 });
}

/** Makes a standby the server that is written to; it has no standby of its own yet. */
export async function promote(standby: PostgresServer): Promise<void> {
  await ask(standby, "select pg_promote()");
  await ask(standby, "alter system reset synchronous_standby_names");
  await ask(standby, "select pg_reload_conf()");
}

/** Returns how many rows came. */
async function ask(server: PostgresServer, statement: string): Promise<number> {
  const client = new pg.Client(server.url());
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
