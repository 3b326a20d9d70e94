/**
 * A team at work: users and agents send requests to one server at the rates of their busiest hour,
 * or at a multiple of them. Arrivals do not depend on earlier responses (open loop).
 *
 *   npx tsx bench/team-load.ts [--people 200] [--agents 400] [--seconds 60] [--factor 1] [--items 2000]
 *
 * With CAIRN_DATABASE the databases are on that PostgreSQL server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { withTemporaryFolder } from "./support/temporary-memory.ts";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    agents: { type: "string", default: "400" },
    seconds: { type: "string", default: "60" },
    factor: { type: "string", default: "1" },
    items: { type: "string", default: "2000" },
    teams: { type: "string", default: "10" },
  },
});
const [people, agents, seconds, factor, items, teams] = [
  values.people,
  values.agents,
  values.seconds,
  values.factor,
  values.items,
  values.teams,
].map(Number) as [number, number, number, number, number, number];

/**
 * Requests of one client in its busiest hour. A user opens the page or a shell occasionally. An
 * agent works in turns of about two minutes: each begins with a recall or snapshot, and one in
 * four ends with a remember.
 */
const HOUR: Readonly<Record<"person" | "agent", Readonly<Record<string, number>>>> = {
  person: { recall: 4, list: 4, remember: 1, feed: 2 },
  agent: { recall: 40, snapshot: 30, remember: 6, feed: 0 },
};

const text = syntheticText(11);
const team = () => `team-${Math.floor(Math.random() * teams)}`;
const REQUESTS: Readonly<Record<string, () => [method: string, path: string, body?: object]>> = {
  recall: () => ["POST", `/query?db=${team()}`, { query: text.words(5).join(" ") }],
  list: () => ["GET", `/items?db=${team()}&limit=50`],
  snapshot: () => ["POST", `/snapshot?db=${team()}`, { scopes: "bootstrap, recent:10" }],
  remember: () => ["POST", `/episodes?db=${team()}`, memory()],
  feed: () => ["GET", `/events?db=${team()}&since_seq=0&limit=50`],
};

function memory() {
  return {
    content: text.sentence(20),
    episode_type: text.integer(3) === 0 ? "decision" : "observation",
    entities: [`file:src/${text.integer(400)}.ts`],
  };
}

await withTemporaryFolder(async (folder) => {
  const program = [
    "--import",
    "tsx",
    "src/cli/main.ts",
    "serve",
    "--port",
    "0",
    "--data-dir",
    folder,
  ];
  const server = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const url = await addressOf(server.stdout, server.stderr);
    await fill(url);
    await waitForVectors(url);
    const taken = await generateLoad(url);
    printReport(taken);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
});

async function addressOf(...streams: NodeJS.ReadableStream[]): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of streams) {
      createInterface({ input: stream }).on("line", (line) => {
        const found = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
        if (found !== undefined) resolve(found);
      });
    }
  });
}

async function send(url: string, kind: string): Promise<number> {
  const [method, path, body] = (REQUESTS[kind] ?? failing(kind))();
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  await response.text();
  return response.status;
}

function failing(kind: string): never {
  throw new Error(`Unknown request kind ${kind}.`);
}

async function fill(url: string): Promise<void> {
  const each = Math.ceil(items / teams);
  for (let number = 0; number < teams; number++) {
    const ops = Array.from({ length: each }, () => ({ op: "remember", ...memory() }));
    const body = JSON.stringify({ changeset: JSON.stringify(ops) });
    const headers = { "content-type": "application/json" };
    const path = `${url}/api/v1/apply?db=team-${number}`;
    const response = await fetch(path, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.text();
  }
}

/** Waits until the initial content is embedded, which no real team writes all at once. */
async function waitForVectors(url: string): Promise<void> {
  for (;;) {
    const output = await (await fetch(`${url}/metrics`)).text();
    const pending = [...output.matchAll(/^cairn_vectors_pending\{.*\} (\d+)$/gm)];
    if (pending.length > 0 && pending.every(([, count]) => count === "0")) return;
    await pause(500);
  }
}

interface Taken {
  readonly kind: string;
  readonly ms: number;
  readonly status: number;
}

/** Arrivals of each kind are a Poisson process with the combined rate of all clients. */
async function generateLoad(url: string): Promise<Taken[]> {
  const kinds = Object.keys(REQUESTS).map((kind) => {
    const anHour = people * (HOUR.person[kind] ?? 0) + agents * (HOUR.agent[kind] ?? 0);
    return { kind, aSecond: (anHour / 3600) * factor };
  });
  const total = kinds.reduce((sum, { aSecond }) => sum + aSecond, 0);
  const taken: Promise<Taken>[] = [];
  const end = performance.now() + seconds * 1000;
  let next = performance.now();
  while (next < end) {
    next += (-Math.log(1 - Math.random()) / total) * 1000;
    await pause(Math.max(0, next - performance.now()));
    let at = Math.random() * total;
    const chosen = kinds.find(({ aSecond }) => {
      at -= aSecond;
      return at < 0;
    });
    taken.push(measureRequest(url, chosen?.kind ?? "recall"));
  }
  return Promise.all(taken);
}

async function measureRequest(url: string, kind: string): Promise<Taken> {
  const begun = performance.now();
  const status = await send(url, kind).catch(() => 0);
  return { kind, ms: performance.now() - begun, status };
}

function printReport(taken: readonly Taken[]): void {
  const row = (name: string, of: readonly Taken[]) => {
    const times = of.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0);
    const errors = of.filter(({ status }) => status !== 200).length;
    return [
      name,
      String(of.length),
      ...[0.5, 0.95, 0.99].map((part) => String(at(part))),
      String(errors),
    ];
  };
  console.log(
    `${people} users, ${agents} agents, busiest hour × ${factor}, ${seconds} s: ${(taken.length / seconds).toFixed(1)} requests per second`,
  );
  printTable(
    ["request", "count", "p50 ms", "p95 ms", "p99 ms", "errors"],
    [
      ...Object.keys(REQUESTS).map((kind) =>
        row(
          kind,
          taken.filter((one) => one.kind === kind),
        ),
      ),
      row("all", taken),
    ],
  );
}
