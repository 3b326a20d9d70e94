/**
 * How long who writes and who recalls waits while something is purged on PostgreSQL, and while all
 * tables are written anew, in turn on one database.
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
const times = { write: [] as number[], recall: [] as number[] };
async function repeat(kind: keyof typeof times, work: (n: number) => Promise<unknown>) {
  for (let n = 0; !isOver; n += 1) {
    const start = performance.now();
    await work(n);
    times[kind].push(performance.now() - start);
  }
}
const clients = [
  repeat("write", (n) => memory.execute("remember", { content: `Written meanwhile ${n}` })),
  repeat("recall", (n) => memory.execute("recall", { query: `why did service ${n % 200} fail?` })),
];

const worst = (list: readonly number[]) => Math.round(Math.max(0, ...list));
async function measure(name: string, work: () => Promise<unknown>) {
  times.write.length = 0;
  times.recall.length = 0;
  const start = performance.now();
  await work();
  const took = Math.round(performance.now() - start);
  return [name, String(took), String(worst(times.write)), String(worst(times.recall))];
}

const rows: string[][] = [];
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
printTable(["", "took, ms", "worst write, ms", "worst recall, ms"], rows);
