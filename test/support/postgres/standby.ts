import { join } from "node:path";
import pg from "pg";
import { PostgresServer, type PostgresServerOptions } from "./postgres-server.ts";

/** Settings of a server that is to have a standby which misses nothing that was acknowledged. */
export const FOR_A_STANDBY = { wal_level: "replica", max_wal_senders: 4 } as const;

/**
 * A copy of a running server that follows it. From when it follows, the server acknowledges a commit
 * only when the standby holds it, too.
 */
export async function startStandby(
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
  await ask(primary, "alter system set synchronous_standby_names = '*'");
  await ask(primary, "select pg_reload_conf()");
  const isFollowed = "select 1 from pg_stat_replication where sync_state = 'sync'";
  while ((await ask(primary, isFollowed)) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return standby;
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
