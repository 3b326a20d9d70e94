/**
 * Checks that no request to `cairn serve` delays `/health`. While clients run one kind of request,
 * a separate process polls `/health` every few milliseconds. Prints wall-clock latency and the
 * longest event loop turn of the server in CPU time, which other load on the machine does not
 * affect.
 *
 *   npx tsx bench/health.ts [--episodes 10000] [--seconds 4] [--only export,doctor]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sendRequest } from "./support/ask-server.ts";
import { printTable } from "./support/print-table.ts";
import { runClients } from "./support/run-clients.ts";
import { createEnvironment } from "./support/serve-process.ts";

const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "10000" },
    seconds: { type: "string", default: "4" },
    only: { type: "string" },
  },
});
const EPISODES = Number(values.episodes);
const CLIENTS = 32;
const OPS = 5_000;

const POLLER = resolve(import.meta.dirname, "support/poll-health.ts");
const TURNS = resolve(import.meta.dirname, "support/longest-turn.ts");
const CLI = resolve(import.meta.dirname, "../bin/cairn.js");

/** An explicit name, so that the database does not depend on the working directory. */
const DATABASE = "health";

const home = mkdtempSync(join(tmpdir(), "cairn-bench-health-"));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const server = await startServer();
const send = (method: string, path: string, body?: unknown) =>
  sendRequest(agent, { url: server.url, method, path, body });

type Load = () => Promise<unknown>;

/** Returns ids of existing episodes that no other load uses. */
let next = 1;
const takeIds = (count: number) => Array.from({ length: count }, () => `ep:${next++}`);

const LOADS: Readonly<Record<string, Load>> = {
  nothing: () => new Promise((done) => setTimeout(done, 1000 * Number(values.seconds))),
  recall: () =>
    runAllClients((n) =>
      send("POST", "/query", { query: `why did service ${n % 200} fail in run ${n}?` }),
    ),
  remember: () => runAllClients((n) => send("POST", "/episodes", createEpisode(n))),
  [`apply of ${OPS}, JSON`]: () => apply(JSON.stringify(createOps(OPS))),
  [`apply of ${OPS}, lines`]: () =>
    apply(
      createOps(OPS)
        .map(({ content, entities }) => `remember e=${entities[0]} labels=kind=note "${content}"`)
        .join("\n"),
    ),
  "undo of it": () => send("POST", "/undo", {}),
  "redo of it": () => send("POST", "/redo", {}),
  export: () => send("GET", `/databases/${DATABASE}/export`),
  "deleted episodes whole": () => send("GET", "/episodes/deleted"),
  "snapshot whole": () => send("POST", "/snapshot", { scopes: ["pending", "labels", "events:0"] }),
  "list_entities whole": () => send("GET", "/entities"),
  "an entity with its episodes": () => send("GET", "/entities/module:service-1"),
  "events whole": () => send("GET", "/events?limit=1000"),
  graph: () => send("GET", "/graph"),
  timeline: () => send("GET", "/timeline?group=type"),
  items: () => send("GET", "/items?text=service&count=true&facets=label,entity"),
  "delete of 500": () =>
    apply(
      takeIds(500)
        .map((id) => `delete ${id}`)
        .join("\n"),
    ),
  "purge of 20": () => send("POST", "/purge", { ids: takeIds(20) }),
  copy: () => send("POST", `/databases/${DATABASE}/copy`, { to: "copied" }),
  backup: () => send("GET", `/databases/${DATABASE}/backup`),
  diff: () => send("POST", `/databases/${DATABASE}/diff`, { with: "copied" }),
  "import into what is there": () => importRecords("copied"),
  "import into a new one": () => importRecords("imported"),
  "databases with their counts": () => send("GET", "/databases"),
  doctor: () => send("POST", `/databases/${DATABASE}/doctor`, {}),
  "doctor that may mend": () => send("POST", `/databases/${DATABASE}/doctor`, { fix: true }),
  reindex: () => send("POST", `/databases/${DATABASE}/reindex`, {}),
};

try {
  for (let start = 0; start < EPISODES; start += OPS) {
    await apply(JSON.stringify(createOps(Math.min(OPS, EPISODES - start))));
  }
  const expected = values.only?.split(",");
  const rows: string[][] = [];
  for (const [name, load] of Object.entries(LOADS)) {
    if (expected !== undefined && !expected.some((part) => name.includes(part))) continue;
    const row = [name, ...(await measure(load))];
    process.stderr.write(`${row.join("  ")}\n`);
    rows.push(row);
  }
  printTable(
    ["load", "duration ms", "/health p50 ms", "p99", "max", "longest event loop turn ms"],
    rows,
  );
} finally {
  agent.destroy();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}

async function measure(load: Load): Promise<string[]> {
  await server.longestTurn();
  const poller = spawn(process.execPath, ["--import", "tsx", POLLER, server.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await new Promise((done) => poller.stdout.once("data", done));
  const start = performance.now();
  let failure = "";
  await load().catch((error: unknown) => {
    failure = String(error);
  });
  const took = performance.now() - start;
  const longest = await server.longestTurn();
  const reporting = new Promise<string>((done) => {
    let text = "";
    poller.stdout.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    poller.once("exit", () => done(text));
  });
  poller.stdin.end();
  const times = (JSON.parse(await reporting) as number[]).sort((a, b) => a - b);
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  return [failure || took.toFixed(0), at(0.5), at(0.99), at(1), longest];
}

function runAllClients(call: (n: number) => Promise<unknown>): Promise<void> {
  let n = 0;
  return runClients({ clients: CLIENTS, seconds: Number(values.seconds) }, () => {
    n += 1;
    return call(n);
  });
}

/** Sends an import of about the maximum body size. */
function importRecords(database: string): Promise<unknown> {
  const lines = Array.from({ length: 20_000 }, (_, n) =>
    JSON.stringify({ id: n, ...createEpisode(n) }),
  );
  return send("POST", `/import?db=${database}`, { from: "jsonl", text: lines.join("\n") });
}

function apply(changeset: string): Promise<unknown> {
  return send("POST", "/apply", { changeset });
}

function createOps(count: number) {
  return Array.from({ length: count }, (_, n) => ({ op: "remember", ...createEpisode(n) }));
}

function createEpisode(n: number) {
  return {
    content: `The cache of service ${n % 200} failed because of the queue in run ${n}, which nobody had seen before.`,
    entities: [`module:service-${n % 200}`],
    ...(n % 10 === 0 && { episode_type: "fact" }),
  };
}

async function startServer() {
  const args = ["--import", "tsx", "--import", TURNS, CLI, "serve", "--port", "0"];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: process.cwd(),
    env: createEnvironment(home, { CAIRN_DATA_DIR: home, CAIRN_DB: DATABASE }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((done, reject) => {
      const fail = () => reject(new Error("The server ended."));
      const listen = (text: Buffer) => {
        const found = pattern.exec(String(text))?.[1];
        if (found === undefined) return;
        child.stderr?.off("data", listen);
        child.off("exit", fail);
        done(found);
      };
      child.stderr?.on("data", listen);
      child.once("exit", fail);
    });
  const url = await says(/listening on (http:\/\/\S+)/);
  return {
    url,
    longestTurn: () => {
      const reporting = says(/longest turn (\S+)/);
      child.kill("SIGUSR2");
      return reporting;
    },
    stop: () =>
      new Promise<void>((done) => {
        child.once("exit", () => done());
        child.kill("SIGTERM");
      }),
  };
}
