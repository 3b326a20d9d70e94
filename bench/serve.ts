import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createApp } from "../src/app/index.ts";
import type { MemoryEngine } from "../src/memory/index.ts";
import { OWNER } from "../src/shared/caller.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { measureAgainst } from "./support/compare-servers.ts";
import { runClients } from "./support/run-clients.ts";
import { cpuMsOf } from "./support/serve-process.ts";
import { type Call, measureTogether } from "./support/serve-together.ts";

/**
 * Overhead of HTTP: recall, remember and snapshot through `cairn serve` in a separate process, and
 * the same calls in this process, on a database of 10 000 episodes.
 *
 *   npx tsx bench/serve.ts [--episodes 10000] [--seconds 3] [--hour 36000] [--embedding none|minilm]
 *
 * Throughput of this code and of another built checkout, alternating, each on its own database:
 *
 *   npx tsx bench/serve.ts --against ../cairn-before [--clients 32] [--seconds 5]
 *
 * Combined throughput of several processes on one database under a mixed load, without an embedder
 * (`npm run build` first):
 *
 *   npx tsx bench/serve.ts --processes 1,2,4 [--clients 16,64] [--engines sqlite,postgres]
 *     [--database postgres://…] [--seconds 10]
 *
 * Throughput of one server with different numbers of recall processes, in turn, for clients that
 * only recall, and the latency of `/health` meanwhile (`npm run build` first):
 *
 *     [--embedding none|minilm]
 */
const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "10000" },
    seconds: { type: "string", default: "3" },
    hour: { type: "string", default: "36000" },
    embedding: { type: "string", default: "none" },
    against: { type: "string" },
    processes: { type: "string" },
    clients: { type: "string", default: "16,64" },
    engines: { type: "string", default: "sqlite,postgres" },
    database: { type: "string" },
  },
});

const CLIENTS = [1, 8, 32];
const WARM_UP = 400;
const SUBJECTS = ["cache", "deploy", "queue", "login", "invoice", "search", "backup", "schema"];
const VERBS = ["failed because of", "was moved to", "depends on", "was measured with", "replaced"];

const BY_NAME = {
  recall: {
    operation: "recall",
    path: "/query",
    input: (n: number) => ({
      query: `why did the ${pick(SUBJECTS, n)} change in service ${n % 200}?`,
    }),
  },
  remember: {
    operation: "remember",
    path: "/episodes",
    input: (n: number) => ({ content: sentence(n) }),
  },
  snapshot: {
    operation: "snapshot",
    path: "/snapshot",
    input: (n: number) => ({
      scopes: ["bootstrap", "stats", "conflicts", `recent:${5 + (n % 5)}`],
    }),
  },
};
const CALLS: readonly Call[] = [BY_NAME.recall, BY_NAME.remember, BY_NAME.snapshot];

/** A snapshot of the newest episode: almost no work other than the transport. */
const HTTP_ALONE: Call = {
  operation: "snapshot",
  path: "/snapshot",
  input: () => ({ scopes: ["recent:1"] }),
};

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const dataDir = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const env = {
  ...process.env,
  CAIRN_DATA_DIR: dataDir,
  CAIRN_EMBEDDING_PROVIDER: values.embedding,
  // This git worktree would otherwise select its own database.
  CAIRN_DB: "default",
  HOME: dataDir,
};

try {
  if (values.against !== undefined) await against(values.against);
  else await (values.processes === undefined ? main() : together(values.processes));
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const app = createApp({ env, cwd: dataDir, reader: "person", logger: silentLogger });
  const memory = app.store.open();
  await fill(memory, Number(values.episodes));
  const server = await startServer();
  // The timeout is shorter than the server's keep-alive, so that no closed connection is reused.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 3_000 });
  const send = (path: string, body: unknown) => post(agent, server.port, path, body);

  print("One client; HTTP and in-process calls take turns, so that a busy machine slows both:\n");
  print(
    "| operation | HTTP p10 / p50 / p99 ms | in process p10 / p50 / p99 ms | added p10 / p50 ms | CPU ms: server / in process |",
  );
  print("| --- | --- | --- | --- | --- |");
  for (const call of [HTTP_ALONE, ...CALLS]) {
    const inside = (n: number) =>
      memory.executeNamed(call.operation, call.input(n), { caller: OWNER });
    const outside = (n: number) => send(call.path, call.input(n));
    print(
      await measureInTurns(call === HTTP_ALONE ? "snapshot recent:1" : call.operation, {
        inside,
        outside,
        pid: server.pid,
      }),
    );
  }
  print(
    "\n| operation | clients | HTTP req/s | p50 ms | p99 ms | in process req/s | p50 ms | p99 ms | ratio of req/s |",
  );
  print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const call of CALLS) {
    for (const clients of CLIENTS) {
      const inside = await measure(clients, (n) =>
        memory.executeNamed(call.operation, call.input(n), { caller: OWNER }),
      );
      const outside = await measure(clients, (n) => send(call.path, call.input(n)));
      print(formatRow(call.operation, clients, outside, inside));
    }
  }
  await measureLongWrite(send);
  await measureHour(send, server.pid);
  agent.destroy();
  await server.stop();
  await app.close();
}

function together(processes: string): Promise<void> {
  return measureTogether({
    home: dataDir,
    engines: values.engines.split(","),
    database: values.database,
    processes: processes.split(",").map(Number),
    clients: values.clients.split(",").map(Number),
    seconds: Number(values.seconds),
    calls: BY_NAME,
    fill: (memory) => fill(memory, Number(values.episodes)),
  });
}

function against(checkout: string): Promise<void> {
  return measureAgainst({
    home: dataDir,
    program: resolve(checkout, "bin/cairn.js"),
    clients: values.clients.split(",").map(Number),
    seconds: Number(values.seconds),
    calls: CALLS,
    changesets: changesets(Number(values.episodes)),
  });
}

async function fill(memory: MemoryEngine, count: number): Promise<void> {
  for (const changeset of changesets(count)) await memory.execute("apply", { changeset });
  await memory.makeMissingVectors();
}

function changesets(count: number): string[] {
  const perChangeset = 2_000;
  return Array.from({ length: Math.ceil(count / perChangeset) }, (_, part) => {
    const start = part * perChangeset;
    const ops = Array.from({ length: Math.min(perChangeset, count - start) }, (_op, index) => ({
      op: "remember",
      content: sentence(start + index),
      e: [`module:service-${(start + index) % 200}`],
    }));
    return JSON.stringify(ops);
  });
}

function sentence(n: number): string {
  return `The ${pick(SUBJECTS, n)} ${pick(VERBS, n >> 3)} the ${pick(SUBJECTS, n >> 5)} of service ${n % 200}, run ${n}.`;
}

function pick(list: readonly string[], n: number): string {
  return list[n % list.length] ?? "";
}

async function startServer() {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "src/cli/main.ts", "serve", "--port", "0"],
    {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk;
      const found = /listening on http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("exit", () => reject(new Error(text)));
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.kill("SIGTERM");
    });
  return { port, pid: child.pid ?? 0, stop };
}

function post(agent: Agent, port: number, path: string, body: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    };
    const sent = request(
      { agent, port, host: "127.0.0.1", path: `/api/v1${path}`, method: "POST", headers },
      (response) => {
        response.resume();
        response.on("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

/** CPU is the time of the server process, or of this process during its own calls. */
async function measureInTurns(
  operation: string,
  sides: {
    inside: (n: number) => Promise<unknown>;
    outside: (n: number) => Promise<unknown>;
    pid: number;
  },
): Promise<string> {
  const inside: number[] = [];
  const outside: number[] = [];
  // Warm-up, as in a long-running server: the measured code is JIT-compiled.
  for (let n = 0; n < WARM_UP; n += 1) {
    await sides.inside(n);
    await sides.outside(n);
  }
  const end = performance.now() + 2_000 * Number(values.seconds);
  const serverBefore = cpuMsOf(sides.pid);
  let own = 0;
  for (let n = WARM_UP; performance.now() < end; n += 1) {
    const cpu = process.cpuUsage();
    inside.push(await measureTime(() => sides.inside(n)));
    const used = process.cpuUsage(cpu);
    own += (used.user + used.system) / 1_000;
    outside.push(await measureTime(() => sides.outside(n)));
  }
  const server = cpuMsOf(sides.pid) - serverBefore;
  for (const list of [inside, outside]) list.sort((a, b) => a - b);
  const at = (share: number) => [quantile(outside, share), quantile(inside, share)] as const;
  const shares = [0.1, 0.5, 0.99];
  const cells = [
    operation,
    shares.map((share) => formatMs(at(share)[0])).join(" / "),
    shares.map((share) => formatMs(at(share)[1])).join(" / "),
    [0.1, 0.5].map((share) => formatMs(at(share)[0] - at(share)[1])).join(" / "),
    `${formatMs(server / outside.length)} / ${formatMs(own / inside.length)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

async function measureTime(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

async function measure(clients: number, run: (n: number) => Promise<unknown>): Promise<Figures> {
  let n = 0;
  for (; n < 20; n += 1) await run(n);
  const times: number[] = [];
  const start = performance.now();
  await runClients({ clients, seconds: Number(values.seconds) }, async () => {
    const began = performance.now();
    n += 1;
    await run(n);
    times.push(performance.now() - began);
  });
  const elapsed = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

async function measureLongWrite(
  send: (path: string, body: unknown) => Promise<void>,
): Promise<void> {
  const ops = Array.from({ length: 5_000 }, (_, n) => ({ op: "remember", content: sentence(n) }));
  const began = performance.now();
  let isWriting = true;
  const write = send("/apply", { changeset: JSON.stringify(ops) }).finally(() => {
    isWriting = false;
  });
  const times: number[] = [];
  while (isWriting) {
    const before = performance.now();
    await send("/snapshot", { scopes: ["stats", "recent:5"] });
    times.push(performance.now() - before);
  }
  await write;
  times.sort((a, b) => a - b);
  print(
    `\nDuring a changeset of 5 000 ops (${Math.round(performance.now() - began)} ms) ${times.length} snapshots were read: p50 ${formatMs(quantile(times, 0.5))} ms, slowest ${formatMs(times.at(-1) ?? 0)} ms.`,
  );
}

async function measureHour(
  send: (path: string, body: unknown) => Promise<void>,
  pid: number,
): Promise<void> {
  const total = Number(values.hour);
  const parts = 8;
  const sizes: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    for (let n = 0; n < total / parts; n += 8) {
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const call =
            CALLS[(n + index) % 10 === 0 ? 1 : (n + index) % 2 === 0 ? 0 : 2] ?? CALLS[0];
          return call === undefined ? undefined : send(call.path, call.input(n + index));
        }),
      );
    }
    sizes.push(readResidentMegabytes(pid));
  }
  print(`\nResident memory over ${total} requests, MB after each eighth: ${sizes.join(", ")}.`);
}

function readResidentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

function formatRow(operation: string, clients: number, outside: Figures, inside: Figures): string {
  const cells = [
    operation,
    clients,
    Math.round(outside.perSecond),
    formatMs(outside.p50),
    formatMs(outside.p99),
    Math.round(inside.perSecond),
    formatMs(inside.p50),
    formatMs(inside.p99),
    (outside.perSecond / inside.perSecond).toFixed(2),
  ];
  return `| ${cells.join(" | ")} |`;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function formatMs(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
