/**
 * A day of a company: users and agents with separate tokens and think times, on two servers with
 * one PostgreSQL. Users call HTTP; each agent keeps one MCP session with one server. Each client
 * waits for a response before its next request (closed loop), so a slow server receives fewer
 * requests and shows a higher p95.
 *
 *   npx tsx bench/team-day.ts [--people 200] [--agents 400] [--minutes 3] [--pace 1] [--items 4000] [--cold]
 *
 * `--pace 4` divides think times by four. With `--cold` the day begins before any item is
 * embedded. It starts the PostgreSQL of the tests, or uses the server that CAIRN_DATABASE names.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { groupBy } from "../src/shared/collections.ts";
import { BenchPostgres } from "./support/bench-postgres.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { withTemporaryFolder } from "./support/temporary-memory.ts";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    agents: { type: "string", default: "400" },
    minutes: { type: "string", default: "3" },
    pace: { type: "string", default: "1" },
    items: { type: "string", default: "4000" },
    cold: { type: "boolean", default: false },
  },
});
const [people, agents, minutes, pace, items] = [
  values.people,
  values.agents,
  values.minutes,
  values.pace,
  values.items,
].map(Number) as [number, number, number, number, number];
const TEAMS = 10;
const SERVERS = 2;
const text = syntheticText(11);

type Kind = "recall" | "snapshot" | "remember" | "list";

/**
 * Mean seconds from a response to the next request, and the mix of requests. A user looks
 * something up occasionally; an agent works in turns of about two minutes, each of which begins
 * with a snapshot or recall.
 */
const DAY: Readonly<
  Record<"person" | "agent", { think: number; next: readonly (readonly [Kind, share: number])[] }>
> = {
  person: {
    think: 240,
    next: [
      ["recall", 0.4],
      ["list", 0.4],
      ["remember", 0.2],
    ],
  },
  agent: {
    think: 45,
    next: [
      ["recall", 0.55],
      ["snapshot", 0.35],
      ["remember", 0.1],
    ],
  },
};

interface Taken {
  readonly who: string;
  readonly kind: Kind;
  readonly ms: number;
  /** Kind of failure; undefined if the request succeeded. */
  readonly error: string | undefined;
  /** True for a recall that returned before all vectors were searched. */
  readonly isPartial: boolean;
}

interface Answered {
  readonly error?: string | undefined;
  readonly isPartial?: boolean;
}

/** A simulated client. */
interface Asker {
  ask(kind: Kind): Promise<Answered>;
  end(): Promise<void>;
}

const teamOf = (number: number) => `team-${number % TEAMS}`;

function memory() {
  return {
    content: text.sentence(20),
    episode_type: text.integer(3) === 0 ? "decision" : "observation",
    entities: [`file:src/${text.integer(400)}.ts`],
  };
}

const REQUESTS: Readonly<Record<Kind, (db: string) => [string, string, object?]>> = {
  recall: (db) => ["POST", `/query?db=${db}`, { query: text.words(5).join(" ") }],
  list: (db) => ["GET", `/items?db=${db}&limit=50`],
  snapshot: (db) => ["POST", `/snapshot?db=${db}`, { scopes: "bootstrap, recent:10" }],
  remember: (db) => ["POST", `/episodes?db=${db}`, memory()],
};

async function send(url: string, token: string, [method, path, body]: [string, string, object?]) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(path.startsWith("/databases/") ? 600_000 : 60_000),
  });
  const told = await response.text();
  return { isAnswered: response.ok, status: response.status, told };
}

const isPartial = (output: string) => output.includes('"partial":true');

/**
 * Returns the name of an error, such as TimeoutError, or the code of its cause, such as
 * ECONNRESET.
 */
function getErrorKind(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.name;
}

function person(url: string, token: string, db: string): Asker {
  return {
    async ask(kind) {
      const { isAnswered, status, told } = await send(url, token, REQUESTS[kind](db));
      return { error: isAnswered ? undefined : `status ${status}`, isPartial: isPartial(told) };
    },
    end: async () => undefined,
  };
}

const TOOLS: Readonly<Record<Exclude<Kind, "list">, () => Record<string, unknown>>> = {
  recall: () => ({ query: text.words(5).join(" ") }),
  snapshot: () => ({ scopes: "bootstrap recent:10" }),
  remember: () => ({ ...memory(), entities: `file:src/${text.integer(400)}.ts` }),
};

async function agent(url: string, token: string, db: string): Promise<Asker> {
  const client = new Client({ name: "agent", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const address = new URL(`${url}/mcp?db=${db}`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }) as Transport);
  return {
    async ask(kind) {
      const name = kind === "list" ? "recall" : kind;
      const told = await client.callTool({ name, arguments: TOOLS[name]() });
      const error = told.isError === true ? "refused by the tool" : undefined;
      return { error, isPartial: isPartial(JSON.stringify(told.structuredContent ?? {})) };
    },
    end: () => client.close(),
  };
}

/**
 * Alternates between thinking and requests until the day ends. Think times are exponentially
 * distributed.
 */
async function simulateClient(
  who: "person" | "agent",
  asker: Asker,
  end: number,
): Promise<Taken[]> {
  const { think, next } = DAY[who];
  const taken: Taken[] = [];
  for (;;) {
    await pause((-Math.log(1 - Math.random()) * think * 1000) / pace);
    if (performance.now() > end) return taken;
    let at = Math.random();
    const [kind] = next.find(([, share]) => {
      at -= share;
      return at < 0;
    }) ?? ["recall"];
    const begun = performance.now();
    const { error, isPartial = false } = await asker
      .ask(kind)
      .catch((thrown: unknown): Answered => ({ error: getErrorKind(thrown) }));
    taken.push({ who, kind, ms: performance.now() - begun, error, isPartial });
  }
}

function program(...args: string[]) {
  return ["--import", "tsx", "src/cli/main.ts", ...args];
}

async function serve(folder: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, program("serve", "--port", "0", "--data-dir", folder), {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
  });
  const url = await new Promise<string>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", (line) => {
        const found = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
        if (found !== undefined) resolve(found);
      });
    }
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return { child, url };
}

async function run(folder: string, environment: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, program(...args, "--data-dir", folder), {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment,
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")} exited with code ${code}`);
  return output;
}

async function fill(url: string, token: string): Promise<void> {
  const each = Math.ceil(items / TEAMS);
  for (let number = 0; number < TEAMS; number += 1) {
    const ops = Array.from({ length: each }, () => ({ op: "remember", ...memory() }));
    const changeset = { changeset: JSON.stringify(ops) };
    const { isAnswered, told } = await send(url, token, [
      "POST",
      `/apply?db=${teamOf(number)}`,
      changeset,
    ]);
    if (!isAnswered)
      throw new Error(`${teamOf(number)} could not be filled: ${told.slice(0, 300)}`);
  }
}

function report(taken: readonly Taken[]): void {
  const row = (name: string, of: readonly Taken[]) => {
    const times = of.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (part: number) => String(Math.round(times[Math.floor(times.length * part)] ?? 0));
    const errors = of.filter(({ error }) => error !== undefined).length;
    const partial = of.filter((one) => one.isPartial).length;
    return [
      ...[name, String(of.length), at(0.5), at(0.95), at(0.99)],
      ...[String(partial), String(errors)],
    ];
  };
  const groups = groupBy(taken, ({ who, kind }) => `${who}: ${kind}`);
  const rate = (taken.length / (minutes * 60)).toFixed(1);
  console.log(
    `${people} users, ${agents} agents, pace ${pace}, ${minutes} minutes, ${SERVERS} servers, one PostgreSQL: ${rate} requests per second; load average ${loadavg()[0]?.toFixed(1)}`,
  );
  printTable(
    ["request", "count", "p50 ms", "p95 ms", "p99 ms", "partial", "errors"],
    [...Array.from(groups, ([name, of]) => row(name, of)).sort(), row("all", taken)],
  );
  const failed = taken.filter(({ error }) => error !== undefined);
  const byKind = groupBy(failed, ({ who, kind, error }) => `${who}: ${kind}: ${error}`);
  if (byKind.size > 0) {
    printTable(
      ["error", "count"],
      Array.from(byKind, ([name, of]) => [name, String(of.length)]),
    );
  }
}

await withTemporaryFolder(async (folder) => {
  await using postgres =
    process.env.CAIRN_DATABASE === undefined ? await BenchPostgres.open({}) : undefined;
  const address = process.env.CAIRN_DATABASE ?? postgres?.urlOf("postgres");
  const environment = { ...process.env, CAIRN_DATABASE: address };
  const create = (name: string, scope: string) =>
    run(folder, environment, "token", "create", name, "--scope", scope, "--json");
  const tokenOf = (output: string) => (JSON.parse(output) as { token: string }).token;
  const admin = tokenOf(await create("filler", "admin"));
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => serve(folder, environment)),
  );
  try {
    const urlOf = (number: number) => servers[number % SERVERS]?.url ?? "";
    await fill(urlOf(0), admin);
    // A company's memory grows over months, so by default all items are embedded before the day
    // begins.
    for (let number = 0; number < (values.cold ? 0 : TEAMS); number += 1) {
      const path = `/databases/${teamOf(number)}/reindex`;
      const { isAnswered, told } = await send(urlOf(number), admin, ["POST", path, {}]);
      if (!isAnswered)
        throw new Error(`${teamOf(number)} could not be embedded: ${told.slice(0, 300)}`);
    }
    // All members of a team share one token: creating 600 tokens would take longer than the day.
    const tokens: string[] = [];
    for (let number = 0; number < TEAMS; number += 1) {
      tokens.push(tokenOf(await create(teamOf(number), "write")));
    }
    const tokenFor = (number: number) => tokens[number % TEAMS] ?? "";
    const askers = [
      ...Array.from({ length: people }, (_, n) => ({
        who: "person" as const,
        asker: person(urlOf(n), tokenFor(n), teamOf(n)),
      })),
    ] as { who: "person" | "agent"; asker: Asker }[];
    for (let n = 0; n < agents; n += 1) {
      askers.push({ who: "agent", asker: await agent(urlOf(n), tokenFor(n), teamOf(n)) });
    }
    const end = performance.now() + minutes * 60_000;
    const lives = askers.map(({ who, asker }) => simulateClient(who, asker, end));
    // Clients that still think after the end of the day are not awaited.
    const late = pause(minutes * 60_000 + 65_000).then(() => [] as Taken[]);
    const taken = (await Promise.all(lives.map((one) => Promise.race([one, late])))).flat();
    report(taken);
    await Promise.allSettled(askers.map(({ asker }) => asker.end()));
  } finally {
    for (const { child } of servers) child.kill("SIGTERM");
    await Promise.all(servers.map(({ child }) => child.exitCode ?? once(child, "exit")));
  }
});
process.exit(0);
