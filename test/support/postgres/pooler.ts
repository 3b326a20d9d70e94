import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe } from "vitest";
import { waitUntil } from "../wait-until.ts";
import { postgresPrograms } from "./postgres-programs.ts";

const UNPRIVILEGED = "nobody";
export const SESSIONS = 6;
const START_LIMIT_MS = 60_000;

const isThere = spawnSync("pgbouncer", ["--version"]).status === 0;

/** `describe`, or a skipped one with the reason in its title if PgBouncer is missing. */
export const describeBehindPooler: (title: string, tests: () => void) => void =
  isThere && postgresPrograms() !== undefined
    ? describe
    : (title, tests) =>
        describe.skip(`${title} (PgBouncer is not installed; apt-get install pgbouncer)`, tests);

export interface Pooler extends AsyncDisposable {
  readonly url: string;
}

export async function startPooler(address: string): Promise<Pooler> {
  const to = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), "cairn-pooler-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const config = join(folder, "pgbouncer.ini");
  writeFileSync(
    config,
    `[databases]
* = host=${to.hostname} port=${to.port} user=${to.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 200
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn("pgbouncer", [...(isRoot ? ["-u", UNPRIVILEGED] : []), config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let reply = "";
  child.stderr.on("data", (text) => {
    reply += text;
  });
  const url = new URL(address);
  url.port = String(port);
  await untilAnswers(url.href, () => reply);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(url: string, said: () => string): Promise<void> {
  let refusal = "";
  const isAnswered = async () => {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      refusal = String(error);
      return false;
    }
  };
  const otherwise = () => `${refusal}: ${said()}`;
  await waitUntil(isAnswered, {
    timeoutMs: START_LIMIT_MS,
    intervalMs: 50,
    describeState: otherwise,
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port was free.");
  return address.port;
}
