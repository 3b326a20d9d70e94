import { Agent, request } from "node:http";
import { createApp } from "../../src/app/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { ask } from "./ask-server.ts";
import { byClients } from "./by-clients.ts";
import { printTable } from "./print-table.ts";
import { cpuMsOfChildren, ServeProcess } from "./serve-process.ts";
import type { Call } from "./serve-together.ts";

export interface RecallsApart {
  /** Folder of the database. */
  readonly home: string;
  readonly recallProcesses: readonly number[];
  readonly clients: readonly number[];
  readonly seconds: number;
  readonly call: Call;
  readonly embedding: string;
  readonly fill: (memory: MemoryEngine) => Promise<void>;
}

/** Turns of each server, so that a busy machine slows all. */
const TURNS = 5;
const BETWEEN_HEALTH_MS = 10;

interface Side {
  readonly processes: number;
  readonly server: ServeProcess;
  ms: number;
  /** Milliseconds that each took. */
  recalls: number[];
  healths: number[];
  cpuMs: number;
  cpuMsApart: number;
}

/**
 * The same recalls to servers with so many processes for them, which have one database and take turns; prints
 * what each answers, what that takes of the processor, and how long `/health` waits meanwhile.
 */
export async function measureRecallsApart(options: RecallsApart): Promise<void> {
  const variables = {
    CAIRN_DATA_DIR: options.home,
    CAIRN_DB: "default",
    CAIRN_EMBEDDING_PROVIDER: options.embedding,
  };
  await fillWith(options, variables);
  const rows: string[][] = [];
  for (const clients of options.clients) {
    const sides: Side[] = [];
    for (const processes of options.recallProcesses) {
      const own = { ...variables, CAIRN_RECALL_PROCESSES: String(processes) };
      const server = await ServeProcess.start(options.home, own);
      sides.push({ processes, server, ...NOTHING() });
    }
    try {
      // The first turn starts processes and compiles code, and does not count.
      for (let turn = -1; turn < TURNS; turn += 1) {
        for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
          await runTurn(side, options, clients);
          if (turn < 0) Object.assign(side, NOTHING());
        }
      }
      rows.push(...sides.map((side) => rowOf(clients, side, sides[0] ?? side)));
    } finally {
      for (const { server } of sides) await server.end();
    }
  }
  printTable(
    [
      ...["clients", "recall processes", "recalls/s", "ratio", "recall p50 ms", "p99"],
      ...["/health p50 ms", "p99", "CPU ms a recall: server", "its processes"],
    ],
    rows,
  );
}

const NOTHING = () => ({ ms: 0, recalls: [], healths: [], cpuMs: 0, cpuMsApart: 0 });

async function fillWith(
  { home, fill }: RecallsApart,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const env = { ...variables, HOME: home };
  const app = createApp({ env, cwd: home, reader: "person", logger: silentLogger });
  await fill(app.store.open());
  await app.close();
}

async function runTurn(
  side: Side,
  { call, seconds: all }: RecallsApart,
  clients: number,
): Promise<void> {
  const { url, pid } = side.server;
  const seconds = all / TURNS;
  // Connections that rested longer than the server keeps them are not used again.
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const watching = new Agent({ keepAlive: true, maxSockets: 1 });
  const used = side.server.cpuMs;
  const usedApart = cpuMsOfChildren(pid);
  const start = performance.now();
  let n = side.recalls.length;
  await Promise.all([
    byClients({ clients, seconds }, () => {
      n += 1;
      const body = call.input(n);
      return timed(side.recalls, () => ask(agent, { url, method: "POST", path: call.path, body }));
    }),
    byClients({ clients: 1, seconds }, async () => {
      await timed(side.healths, () => health(watching, url));
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_HEALTH_MS));
    }),
  ]);
  side.ms += performance.now() - start;
  side.cpuMs += side.server.cpuMs - used;
  for (const [child, cpuMs] of cpuMsOfChildren(pid)) {
    side.cpuMsApart += cpuMs - (usedApart.get(child) ?? 0);
  }
  agent.destroy();
  watching.destroy();
}

async function timed(times: number[], body: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await body();
  times.push(performance.now() - began);
}

function health(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/health`, { agent }, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end();
  });
}

function rowOf(clients: number, side: Side, first: Side): string[] {
  const perSecond = (it: Side) => (1_000 * it.recalls.length) / it.ms;
  const ofOne = (ms: number) => (ms / side.recalls.length).toFixed(2);
  return [
    String(clients),
    String(side.processes),
    perSecond(side).toFixed(0),
    (perSecond(side) / perSecond(first)).toFixed(2),
    ...[at(side.recalls, 0.5), at(side.recalls, 0.99)],
    ...[at(side.healths, 0.5), at(side.healths, 0.99)],
    ...[ofOne(side.cpuMs), ofOne(side.cpuMsApart)],
  ];
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
