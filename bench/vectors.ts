/**
 * Compares the vector kernel of `src/memory/search`, which searches by sign bits, with the
 * documented `vec0` table of sqlite-vec (bits, the same number of neighbours). The time with
 * sqlite-vec is computed: the time of a recall, minus its own search, plus that of sqlite-vec. The
 * two alternate. Vectors are hashes, so no model runs.
 *
 *   npx tsx bench/vectors.ts [--sizes 10000,100000] [--samples 100]
 *
 * CAIRN_BENCH_KEEP names a folder that stores the filled databases for the next run.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { SqliteDatabase, type Tx } from "../src/database/index.ts";
import { signBits } from "../src/embedding/index.ts";
import type { MemoryEngine } from "../src/memory/index.ts";
import { storedVector } from "../src/memory/search/stored-vector.ts";
import { getVectorIndex } from "../src/memory/search/vector-index.ts";
import { createHashEmbedder } from "./support/hash-embedder.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { withMemoryOf } from "./support/temporary-memory.ts";

const { values: given } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000" },
    samples: { type: "string", default: "100" },
  },
});
const SAMPLES = Number(given.samples);
const NEIGHBOURS = 128;
const WARM_UP = 5;

const rows: string[][] = [];
for (const size of given.sizes.split(",").map(Number)) {
  const text = syntheticText(1);
  const episodes = Array.from({ length: size }, () => ({ content: text.sentence(12) }));
  const embedder = createHashEmbedder();
  await withMemoryOf(embedder, episodes, async (memory) => {
    const database = await memory.database();
    if (!(database instanceof SqliteDatabase)) throw new Error("This bench needs SQLite.");
    rows.push(await database.read((tx) => measure(tx, memory, { size, embedder })));
  });
}
printTable(
  ["episodes", "recall ms", "own search ms", "sqlite-vec ms", "recall by sqlite-vec ms", "ratio"],
  rows,
);

async function measure(
  tx: Tx,
  memory: MemoryEngine,
  { size, embedder }: { size: number; embedder: ReturnType<typeof createHashEmbedder> },
): Promise<string[]> {
  const { $client: connection } = tx as unknown as { $client: import("better-sqlite3").Database };
  const { load } = await import("sqlite-vec");
  load(connection);
  const stored = await tx.all<{ number: number; vector: Buffer }>(
    sql`select item_id as number, vector from vectors where kind = 'episode'`,
  );
  const bits = (stored[0]?.vector.length ?? 0) - ((stored[0]?.vector.length ?? 0) % 8);
  const other = new (await import("better-sqlite3")).default(":memory:");
  load(other);
  other.exec(`create virtual table signs using vec0(item integer primary key, bits bit[${bits}])`);
  const insert = other.prepare("insert into signs(item, bits) values (?, vec_bit(?))");
  other.transaction(() => {
    for (const { number, vector } of stored) {
      const direction = Float32Array.from(storedVector(vector)).subarray(0, bits);
      insert.run(BigInt(number), Buffer.from(signBits(direction)));
    }
  })();
  const nearest = other.prepare("select item from signs where bits match vec_bit(?) and k = ?");
  const text = syntheticText(2);
  const times = { recall: [] as number[], own: [] as number[], extension: [] as number[] };
  for (let sample = -WARM_UP; sample < SAMPLES; sample += 1) {
    const query = text.sentence(6);
    const [vector = new Float32Array()] = await embedder.embed([query], { role: "query" });
    const signs = Buffer.from(signBits(vector.subarray(0, bits)));
    const recall = await measureTime(() => memory.execute("recall", { query }));
    const own = await measureTime(() =>
      getVectorIndex(tx).nearest(tx, { vector, kinds: ["episode"] }),
    );
    const extension = await measureTime(async () => nearest.all(signs, NEIGHBOURS));
    if (sample < 0) continue;
    times.recall.push(recall);
    times.own.push(own);
    times.extension.push(extension);
  }
  const recall = median(times.recall);
  const own = median(times.own);
  const extension = median(times.extension);
  const replaced = recall - own + extension;
  return [
    size.toLocaleString("en"),
    ...[recall, own, extension, replaced].map((ms) => ms.toFixed(1)),
    (replaced / recall).toFixed(2),
  ];
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
