/**
 * Latency of writes and recalls during a purge on PostgreSQL, and during a rewrite of all tables,
 * alternating on one database.
 *
 *   npx tsx bench/purge.ts [--episodes 10000] [--rounds 3]
 */
import { parseArgs } from "node:util";
import { BenchPostgres } from "./support/bench-postgres.ts";
import { printTable } from "./support/print-table.ts";

const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
  },
});
const EPISODES = Number(values.episodes);
const ROUNDS = Number(values.rounds);
const OPS = 500;
const IDLE_MS = 3_000;

await using postgres = await BenchPostgres.open({});
const memory = await postgres.memoryIn("purge", undefined);
const text = (n: number) =>
  `Run ${n} of service ${n % 200} failed in step ${n % 17}: the queue ${n % 31} was full, and worker ${n % 57} gave up after ${n % 9} tries.`;
for (let first = 0; first < EPISODES; first += OPS) {
  const ops = Array.from({ length: OPS }, (_, n) => ({
    op: "remember",
    content: text(first + n),
    entities: [`file:src/service-${(first + n) % 200}.ts`],
  }));
  await memory.execute("apply", { changeset: JSON.stringify(ops) });
}

let isOver = false;
let times = { write: [0], recall: [0] };
async function repeat(kind: keyof typeof times, work: (n: number) => Promise<unknown>) {
  for (let n = 0; !isOver; n += 1) {
    // A call counts for the phase in which it began.
    const begun = times[kind];
    const start = performance.now();
    await work(n);
    begun.push(performance.now() - start);
  }
}
const clients = [
  repeat("write", (n) => memory.execute("remember", { content: `Written meanwhile ${n}` })),
  repeat("recall", (n) => memory.execute("recall", { query: `why did service ${n % 200} fail?` })),
];

async function measure(name: string, work: () => Promise<unknown>) {
  const mine = { write: [0], recall: [0] };
  times = mine;
  const start = performance.now();
  await work();
  return { name, took: Math.round(performance.now() - start), ...mine };
}

const rows: Awaited<ReturnType<typeof measure>>[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rows.push(await measure("nothing", () => new Promise((done) => setTimeout(done, IDLE_MS))));
  rows.push(
    await measure("purge of one", () => memory.execute("purge", { ids: [`ep:${round + 1}`] })),
  );
  rows.push(await measure("all tables anew", async () => (await memory.database()).rewrite()));
}
isOver = true;
await Promise.all(clients);
await memory.close();
const formatMax = (list: readonly number[]) => Math.round(Math.max(...list));
printTable(
  ["operation", "duration ms", "max write ms", "max recall ms"],
  rows.map(({ name, took, write, recall }) => [name, took, formatMax(write), formatMax(recall)]),
);
