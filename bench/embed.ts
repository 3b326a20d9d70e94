/**
 * Throughput of the bundled model as the engine calls it: single texts, as for a query, and
 * background batches. Then the effect of background embedding on a large `apply`. Texts consist of
 * English words; token counts include the two special tokens.
 *
 *   npx tsx bench/embed.ts [--seconds 5] [--ops 10000] [--tokens 12,32,230]
 */
import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { SqliteDatabase } from "../src/database/index.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../src/embedding/index.ts";
import { findModelFolder } from "../src/embedding/minilm/find-model-folder.ts";
import { loadTokenizer } from "../src/embedding/onnx/load-model.ts";
import { createOperations, openMemory } from "../src/memory/index.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { printTable } from "./support/print-table.ts";
import { cpuMsOf } from "./support/serve-process.ts";
import { seededRandom } from "./support/synthetic-text.ts";
import { withTemporaryFolder } from "./support/temporary-memory.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    ops: { type: "string", default: "10000" },
    tokens: { type: "string", default: "12,32,230" },
  },
});
const SECONDS = Number(given.seconds);
const OPS = Number(given.ops);
/** Batch size of the background embedding. */
const BATCH_SIZE = 64;
const SPECIAL_TOKENS = 2;
const WORDS = (
  "the deploy of a billing service failed because one migration was not applied before traffic " +
  "moved to it and customers saw errors until her cache had been warmed again by hand on friday"
).split(" ");

const settings = embeddingSettings.parse({});
const embedder = createEmbedder(settings);
if (embedder === null) throw new Error("The default settings configure no embedder.");
const { tokenize } = await loadTokenizer(findModelFolder());
const random = seededRandom(1);

try {
  await measureTexts(embedder);
  await measureApply(embedder);
} finally {
  await embedder.close();
}

/** Returns a text of exactly `tokens` tokens; each word is one token. */
function generateText(tokens: number): string {
  const count = tokens - SPECIAL_TOKENS;
  const text = Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]);
  const made = text.join(" ");
  if (tokenize(made).length !== count) throw new Error(`Expected ${tokens} tokens: ${made}`);
  return made;
}

async function measureTexts(embedder: Embedder): Promise<void> {
  const rows: string[][] = [];
  for (const tokens of given.tokens.split(",").map(Number)) {
    rows.push(
      await measureRate(`${tokens} tokens, one by one`, async () => {
        await embedder.read?.([{ text: generateText(tokens), before: "" }], { role: "query" });
        return 1;
      }),
      await measureRate(`${tokens} tokens, batches of ${BATCH_SIZE}`, async () => {
        const texts = Array.from({ length: BATCH_SIZE }, () => ({
          text: generateText(tokens),
          before: "",
        }));
        await embedder.readMany?.(texts);
        return BATCH_SIZE;
      }),
    );
  }
  printTable(
    ["texts", "per second", "CPU ms per text", "event loop delay p50 / p99 / max, ms"],
    rows,
  );
}

/** `run` returns the number of texts that it embedded. */
async function measureRate(name: string, run: () => Promise<number>): Promise<string[]> {
  const warm = performance.now() + 1_000;
  while (performance.now() < warm) await run();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const cpu = readCpuMs();
  const began = performance.now();
  let texts = 0;
  while (performance.now() < began + SECONDS * 1_000) texts += await run();
  const seconds = (performance.now() - began) / 1_000;
  const used = readCpuMs() - cpu;
  loop.disable();
  const late = [loop.percentile(50), loop.percentile(99), loop.max].map(formatDelay).join(" / ");
  return [name, (texts / seconds).toFixed(1), (used / texts).toFixed(2), late];
}

/** Subtracts the one millisecond that the timer was set to. */
function formatDelay(nanoseconds: number): string {
  return Math.max(0, nanoseconds / 1e6 - 1).toFixed(1);
}

async function measureApply(embedder: Embedder): Promise<void> {
  const ops = Array.from({ length: OPS }, () => ({ op: "remember", content: generateText(32) }));
  const changeset = JSON.stringify(ops);
  const without = await applyChangeset(changeset, undefined);
  const beside = await applyChangeset(changeset, embedder);
  printTable(
    [
      "apply, ops",
      "without embedder, ms",
      "with background embedding, ms",
      "until the next timer, ms",
    ],
    [[String(OPS), formatMs(without.answered), formatMs(beside.answered), formatMs(beside.freed)]],
  );
  const { vectors, seconds, cpu, late, recalls } = beside;
  printTable(
    [
      "background vectors",
      "per second",
      "CPU ms per vector",
      "event loop delay p50 / p99 / max, ms",
      "snapshot latency meanwhile p50 / p99, ms",
    ],
    [[String(vectors), (vectors / seconds).toFixed(1), (cpu / vectors).toFixed(2), late, recalls]],
  );
}

/**
 * Measures an `apply` from call to result, then the embedding after it, for at most `4 * SECONDS`.
 */
function applyChangeset(changeset: string, embedder: Embedder | undefined) {
  return withTemporaryFolder(async (folder) => {
    const memory = openMemory({
      name: "bench",
      database: new SqliteDatabase({ path: `${folder}/bench.db` }),
      embedder,
      operations: createOperations(),
      logger: silentLogger,
      vectorsInBackground: true,
    });
    try {
      // Creates the database, with the model recorded in it, before the measurement.
      await memory.execute("remember", { content: "The first episode." });
      while ((await memory.vectors.countPending()) > 0) await rest(50);
      const began = performance.now();
      await memory.execute("apply", { changeset });
      const answered = performance.now() - began;
      await rest(0);
      const freed = performance.now() - began - answered;
      const cpu = readCpuMs();
      const before = await memory.vectors.countPending();
      const loop = monitorEventLoopDelay({ resolution: 1 });
      loop.enable();
      const from = performance.now();
      const times: number[] = [];
      let left = before;
      while (left > 0 && performance.now() < from + SECONDS * 4_000) {
        await rest(100);
        const start = performance.now();
        await memory.execute("snapshot", { scopes: ["recent:5"] });
        times.push(performance.now() - start);
        left = await memory.vectors.countPending();
      }
      const seconds = (performance.now() - from) / 1_000;
      loop.disable();
      times.sort((a, b) => a - b);
      const at = (share: number) => formatMs(times[Math.floor((times.length - 1) * share)] ?? 0);
      return {
        answered,
        freed,
        vectors: before - left,
        seconds,
        cpu: readCpuMs() - cpu,
        late: [loop.percentile(50), loop.percentile(99), loop.max].map(formatDelay).join(" / "),
        recalls: `${at(0.5)} / ${at(0.99)}`,
      };
    } finally {
      await memory.close();
    }
  });
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * CPU time of this process and its children. The kernel reports that of children in 10 ms ticks.
 */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (
    (user + system) / 1_000 + listChildren(process.pid).reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  );
}

function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

function formatMs(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}
