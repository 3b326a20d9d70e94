import { Agent, request } from "node:http";
import { createApp } from "../../src/app/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { BenchPostgres } from "./bench-postgres.ts";
import { printTable } from "./print-table.ts";
import { ServeProcess } from "./serve-process.ts";

export interface Call {
  readonly operation: string;
  readonly path: string;
  readonly input: (n: number) => Record<string, unknown>;
}

export interface TogetherOptions {
  readonly home: string;
  readonly engines: readonly string[];
  /** Address (postgres://…) of a running server. */
  readonly database?: string | undefined;
  readonly processes: readonly number[];
  readonly clients: readonly number[];
  readonly seconds: number;
  readonly calls: Readonly<Record<"recall" | "remember" | "snapshot", Call>>;
  readonly fill: (memory: MemoryEngine) => Promise<void>;
}

/** Of ten calls, five recall, four remember and one takes a snapshot. */
const REQUEST_MIX = [
  ...(["recall", "remember", "recall", "remember", "recall"] as const),
  ...(["snapshot", "recall", "remember", "recall", "remember"] as const),
];

/**
 * Measures clients with a mixed load on several `cairn serve` of one database, on each engine in
 * turn.
 */
export async function measureTogether(options: TogetherOptions): Promise<void> {
  const { home, engines, database } = options;
  const rows: (string | number)[][] = [];
  for (const engine of engines) {
    const postgres =
      engine === "postgres" ? await BenchPostgres.open({ address: database }) : undefined;
    const name = `serve_${process.pid}`;
    await postgres?.makeEmpty(name);
    const variables = {
      CAIRN_DATA_DIR: home,
      ...(postgres !== undefined && { CAIRN_DATABASE: postgres.urlOf(name) }),
    };
    try {
      await fillWith(options, variables);
      for (const count of options.processes)
        rows.push(...(await measure(options, count, { engine, variables })));
    } finally {
      await postgres?.drop(name);
      await postgres?.[Symbol.asyncDispose]();
    }
  }
  printTable(
    [
      ...["engine", "processes", "clients", "req/s", "recall p50 ms", "p99"],
      ...["remember p50 ms", "p99", "CPU ms of serve a request", "errors"],
    ],
    rows,
  );
}

async function fillWith(
  { home, fill }: TogetherOptions,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const env = { ...variables, HOME: home, CAIRN_EMBEDDING_PROVIDER: "none" };
  const app = createApp({ env, cwd: home, reader: "person", logger: silentLogger });
  await fill(app.store.open());
  await app.close();
}

async function measure(
  options: TogetherOptions,
  count: number,
  { engine, variables }: { engine: string; variables: Readonly<Record<string, string>> },
): Promise<(string | number)[][]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => ServeProcess.start(options.home, variables)),
  );
  const rows: (string | number)[][] = [];
  try {
    for (const clients of options.clients) {
      // Warm-up: compiles the code and opens the connections.
      await runLoad(options, servers, { clients, seconds: options.seconds / 3 });
      const before = servers.map(({ cpuMs }) => cpuMs);
      const { times, errors } = await runLoad(options, servers, {
        clients,
        seconds: options.seconds,
      });
      const used = servers.reduce((sum, { cpuMs }, index) => sum + cpuMs - (before[index] ?? 0), 0);
      const all = Object.values(times).flat().length;
      rows.push([
        ...[engine, count, clients, Math.round(all / options.seconds)],
        ...[at(times.recall, 0.5), at(times.recall, 0.99)],
        ...[at(times.remember, 0.5), at(times.remember, 0.99)],
        ...[(used / all).toFixed(2), errors],
      ]);
    }
  } finally {
    for (const server of servers) await server.end();
  }
  return rows;
}

/** Each client sends its next call to the next server when the previous one has returned. */
async function runLoad(
  { calls }: TogetherOptions,
  servers: readonly ServeProcess[],
  { clients, seconds }: { clients: number; seconds: number },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = { recall: [] as number[], remember: [] as number[], snapshot: [] as number[] };
  let errors = 0;
  const end = performance.now() + seconds * 1_000;
  const client = async (number: number) => {
    for (let n = number; performance.now() < end; n += clients) {
      const kind = REQUEST_MIX[(n + Math.floor(n / clients)) % REQUEST_MIX.length] ?? "recall";
      const server = servers[number % servers.length];
      const { path, input } = calls[kind];
      const began = performance.now();
      if (await post(agent, `${server?.url}/api/v1${path}`, input(n))) {
        times[kind].push(performance.now() - began);
      } else errors += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  agent.destroy();
  for (const list of Object.values(times)) list.sort((a, b) => a - b);
  return { times, errors };
}

/** Returns true if the response is a success. */
function post(agent: Agent, url: string, body: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const sent = request(url, { agent, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
      response.on("error", () => resolve(false));
    });
    sent.on("error", () => resolve(false));
    sent.end(JSON.stringify(body));
  });
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
