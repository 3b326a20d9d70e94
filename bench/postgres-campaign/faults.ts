import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { PostgresServer } from "../../test/support/postgres/postgres-server.ts";
import { promote, startStandby } from "../../test/support/postgres/standby.ts";
import { startCairn } from "../support/serve-process.ts";
import { Campaign, SERVER_SETTINGS } from "./campaign.ts";

/** A failure that occurs under load and is repaired afterwards. */
export interface Fault {
  readonly happen: (ground: Campaign, round: Round) => Promise<void>;
  /** Runs before the load begins. */
  readonly prepare?: (ground: Campaign) => Promise<void>;
  /** Creates a separate environment for each round. */
  readonly open?: () => Promise<Campaign>;
  readonly writers?: number;
  /** The fault occurs together with the first write. */
  readonly atOnce?: boolean;
  /** Errors other than `busy` that clients may receive. */
  readonly mayBeRefused?: RegExp;
}

export interface Round {
  readonly database: string;
  /** Acknowledged writes of the fault itself. */
  readonly acknowledged: string[];
}

const NETWORK_FAULT_MS = 10_000;
const SHORT_MS = 2_000;
/** Enough for a new server and a few databases of some hundred episodes. */
const SMALL_DISK_SIZE = "160m";

const pauseRandomly = (ms: number) => pause(Math.random() * ms);

export const FAULTS: Readonly<Record<string, Fault>> = {
  serve: { happen: killServe },
  backend: { happen: killBackend },
  server: { happen: killServer },
  failover: { prepare: followWithStandby, happen: failOver },
  disk: { open: openGroundOnSmallDisk, happen: fillDisk, mayBeRefused: /disk|space/i },
  pool: { happen: takeAllConnections, writers: 40 },
  long: { happen: lockTables },
  creation: { happen: createConcurrently, atOnce: true },
  silence: { happen: stallNetwork },
  cut: { happen: cutNetwork },
};

async function killServe(ground: Campaign): Promise<void> {
  const [oldest] = ground.servers;
  await oldest?.end("SIGKILL");
  await pauseRandomly(200);
  await ground.addServer();
  ground.servers.shift();
}

/** The server then terminates all other backends and recovers by itself. */
async function killBackend(ground: Campaign): Promise<void> {
  const rows = await ground.query(
    "select pid from pg_stat_activity where datname = 'campaign' and backend_type = 'client backend' order by random() limit 1",
  );
  for (const { pid } of rows) process.kill(Number(pid), "SIGKILL");
}

async function killServer(ground: Campaign): Promise<void> {
  const { folder, port } = ground.postgres;
  await ground.postgres.kill();
  await pauseRandomly(500);
  ground.postgres = await PostgresServer.start({
    ...{ folder, port, durable: true, settings: SERVER_SETTINGS },
  });
}

async function followWithStandby(ground: Campaign): Promise<void> {
  const folder = ground.newServerFolder();
  const options = { folder, durable: true, settings: SERVER_SETTINGS };
  ground.standby = await startStandby(ground.postgres, options);
}

/** The address stays the same and now leads to the standby, as with a floating IP address. */
async function failOver(ground: Campaign): Promise<void> {
  const { standby } = ground;
  if (standby === undefined) throw new Error("This environment has no standby.");
  const { folder } = ground.postgres;
  await ground.postgres.kill();
  ground.proxy.cut();
  await promote(standby);
  ground.proxy.routeTo(standby.port);
  ground.proxy.mend();
  ground.postgres = standby;
  ground.standby = undefined;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function openGroundOnSmallDisk(): Promise<Campaign> {
  const disk = mkdtempSync(join(tmpdir(), "cairn-small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_DISK_SIZE},mode=755`, "tmpfs", disk]);
  const ground = await Campaign.open(disk);
  const close = ground[Symbol.asyncDispose].bind(ground);
  ground[Symbol.asyncDispose] = async () => {
    await close();
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  };
  return ground;
}

/** The server may shut down on a full disk. It is restarted once there is space. */
async function fillDisk(ground: Campaign): Promise<void> {
  const { folder, port } = ground.postgres;
  const ballast = join(folder, "ballast");
  const end = performance.now() + SHORT_MS;
  while (performance.now() < end) {
    fill(ballast);
    await pause(50);
  }
  rmSync(ballast);
  if (!ground.postgres.isRunning) {
    ground.postgres = await PostgresServer.start({
      ...{ folder, port, durable: true, settings: SERVER_SETTINGS },
    });
  }
}

/** Writes until the disk is full. */
function fill(ballast: string): void {
  for (const bytes of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
    } catch (error) {
      const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
      if (!isFull) throw error;
    }
  }
}

/** Other clients occupy every free connection of the server. */
async function takeAllConnections(ground: Campaign): Promise<void> {
  const clients = [];
  try {
    for (;;) clients.push(await ground.connect("campaign"));
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && error.code === "53300";
    if (!isFull) throw error;
    await pause(SHORT_MS);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Another program reads all tables in one long transaction and blocks writers for a while. */
async function lockTables(ground: Campaign): Promise<void> {
  const client = await ground.connect("campaign");
  await client.query("begin isolation level repeatable read");
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.oid = (
        select max(relnamespace::bigint)::oid from pg_class where relname = 'episodes'
      )`,
  );
  for (const { name } of rows) await client.query(`select count(*) from ${name}`);
  await pause(SHORT_MS);
  await client.query("commit; begin");
  const episodes = rows.find(({ name }) => name.endsWith(".episodes"))?.name;
  if (episodes === undefined) throw new Error("The database has no episodes table.");
  await client.query(`lock table ${episodes} in share mode`);
  await pause(SHORT_MS);
  await client.query("rollback");
  await client.end();
}

/** Four processes write to a database that does not exist yet, while servers write to it too. */
async function createConcurrently(
  ground: Campaign,
  { database, acknowledged }: Round,
): Promise<void> {
  const processes = [1, 2, 3, 4].map(async (n) => {
    const content = `first of process ${n}`;
    const args = ["remember", content, "--db", database];
    const child = startCairn(ground.folder, args, ground.variables);
    let reply = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        reply += text;
      });
    }
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${args.join(" ")} exited with code ${code}: ${reply}`);
    acknowledged.push(content);
  });
  await Promise.all(processes);
}

/** Connections stall, then resume. */
async function stallNetwork(ground: Campaign): Promise<void> {
  ground.proxy.silence();
  await pause(NETWORK_FAULT_MS);
  ground.proxy.mend();
}

/** Connections break, and new ones are refused. */
async function cutNetwork(ground: Campaign): Promise<void> {
  ground.proxy.cut();
  await pause(NETWORK_FAULT_MS);
  ground.proxy.mend();
}
