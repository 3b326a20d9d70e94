import { mkdirSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { sendRequest } from "./ask-server.ts";
import { printTable } from "./print-table.ts";
import { runClients } from "./run-clients.ts";
import { ServeProcess } from "./serve-process.ts";
import type { Call } from "./serve-together.ts";

export interface Comparison {
  /** Folder of the databases. */
  readonly home: string;
  /** Path of the other checkout's program. */
  readonly program: string;
  readonly clients: readonly number[];
  readonly seconds: number;
  readonly calls: readonly Call[];
  /** Initial content of both databases. */
  readonly changesets: readonly string[];
}

/** Number of alternating turns per server, so that load on the machine affects both alike. */
const TURNS = 4;

interface Side {
  readonly name: string;
  readonly server: ServeProcess;
  answered: number;
  ms: number;
  cpuMs: number;
}

/** Sends the same calls to servers of two checkouts in turn and prints the throughput of each. */
export async function measureAgainst(options: Comparison): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 3_000 });
  const sides = [
    await startFilled("other", agent, options, options.program),
    await startFilled("this", agent, options),
  ];
  const rows: string[][] = [];
  for (const call of options.calls) {
    for (const clients of options.clients) {
      for (const side of sides) Object.assign(side, { answered: 0, ms: 0, cpuMs: 0 });
      // Turn -1 is the warm-up.
      for (let turn = -1; turn < TURNS; turn += 1) {
        for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
          const before = { ...side };
          await runTurn(agent, side, { call, clients, seconds: options.seconds / TURNS });
          if (turn < 0) Object.assign(side, before);
        }
      }
      rows.push(formatRow(`${call.operation}, ${clients} clients`, sides));
    }
  }
  printTable(["", "other req/s", "this", "ratio", "other CPU ms", "this", "ratio"], rows);
  agent.destroy();
  for (const { server } of sides) await server.end();
}

async function startFilled(
  name: string,
  agent: Agent,
  { home, changesets }: Comparison,
  program?: string,
): Promise<Side> {
  const own = join(home, name);
  mkdirSync(own);
  const variables = { CAIRN_DATA_DIR: own, CAIRN_DB: "default" };
  const server = await ServeProcess.start(own, variables, program);
  for (const body of changesets) {
    await sendRequest(agent, {
      url: server.url,
      method: "POST",
      path: "/apply",
      body: { changeset: body },
    });
  }
  return { name, server, answered: 0, ms: 0, cpuMs: 0 };
}

async function runTurn(
  agent: Agent,
  side: Side,
  { call, clients, seconds }: { call: Call; clients: number; seconds: number },
): Promise<void> {
  const { url } = side.server;
  const used = side.server.cpuMs;
  const start = performance.now();
  await runClients({ clients, seconds }, () => {
    side.answered += 1;
    const body = call.input(side.answered);
    return sendRequest(agent, { url, method: "POST", path: call.path, body });
  });
  side.ms += performance.now() - start;
  side.cpuMs += side.server.cpuMs - used;
}

function formatRow(name: string, [other, own]: readonly Side[]): string[] {
  if (other === undefined || own === undefined)
    throw new Error("The comparison needs two servers.");
  const perSecond = [other, own].map(({ answered, ms }) => (1_000 * answered) / ms);
  const cpu = [other, own].map(({ answered, cpuMs }) => cpuMs / answered);
  const ratio = ([before = 0, after = 0]: readonly number[]) => (after / before).toFixed(2);
  return [
    name,
    ...perSecond.map((value) => value.toFixed(0)),
    ratio(perSecond),
    ...cpu.map((value) => value.toFixed(2)),
    ratio(cpu),
  ];
}
