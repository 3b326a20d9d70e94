/**
 * What an operation costs as memory grows: one remember, one fact, one changeset of 50 ops and one
 * recall, through the engine, without the time of a model (vectors are hashes).
 *
 *   npx tsx bench/scale.ts [--million]
 */
import type { MemoryEngine } from "../src/memory/index.ts";
import { createHashEmbedder } from "./support/hash-embedder.ts";
import { printTable } from "./support/print-table.ts";
import { type SyntheticText, syntheticText } from "./support/synthetic-text.ts";
import { withTemporaryMemory } from "./support/temporary-memory.ts";

const SIZES = [1_000, 10_000];
const OPS = 50;
const SAMPLES = { remember: 200, fact: 200, apply: 20, recall: 200 };

interface Figures {
  readonly size: number;
  readonly remember: number[];
  readonly fact: number[];
  readonly apply: number[];
  readonly recall: number[];
}

const figures: Figures[] = [];
for (const size of SIZES) {
  figures.push(await withTemporaryMemory(createHashEmbedder(), (memory) => measure(memory, size)));
}
report(figures);

async function measure(memory: MemoryEngine, size: number): Promise<Figures> {
  const text = syntheticText(size);
  const started = Date.now();
  await populate(memory, text, size);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  process.stderr.write(`${size} episodes written in ${seconds} s\n`);
  let next = size;
  const episode = () => newEpisode(text, next++);
  const remember = await sample(SAMPLES.remember, () => memory.execute("remember", episode()));
  const fact = await sample(SAMPLES.fact, () =>
    memory.execute("remember", { ...episode(), episode_type: "fact" }),
  );
  const apply = await sample(SAMPLES.apply, () => {
    const ops = Array.from({ length: OPS }, () => ({ op: "remember", ...episode() }));
    return memory.execute("apply", { changeset: JSON.stringify(ops) });
  });
  await memory.makeMissingVectors();
  const recall = await sample(SAMPLES.recall, () =>
    memory.execute("recall", { query: text.words(3 + text.integer(5)).join(" ") }),
  );
  return { size, remember, fact, apply, recall };
}

/** One in ten is a fact; each tells of two entities, and twenty make a session. */
async function populate(memory: MemoryEngine, text: SyntheticText, size: number): Promise<void> {
  const most = 10_000;
  for (let start = 0; start < size; start += most) {
    const ops = Array.from({ length: Math.min(most, size - start) }, (_, index) => {
      const number = start + index;
      const type = number % 10 === 0 ? { episode_type: "fact" } : {};
      return { op: "remember", ...newEpisode(text, number), ...type };
    });
    await memory.execute("apply", { changeset: JSON.stringify(ops) });
    await memory.makeMissingVectors();
  }
}

function newEpisode(text: SyntheticText, number: number): Record<string, unknown> {
  return {
    content: text.sentence(8 + text.integer(20)),
    asserted_by: `person${number % 50}`,
    entities: [`person:person${number % 50}`, `module:module${text.integer(2_000)}`],
    session: `session-${Math.floor(number / 20)}`,
  };
}

async function sample(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

function report(all: readonly Figures[]): void {
  const cells = (times: readonly number[]) => [at(times, 0.5), at(times, 0.95)];
  printTable(
    [
      "episodes",
      "remember p50",
      "p95",
      "fact p50",
      "p95",
      `apply ${OPS} p50`,
      "p95",
      "recall p50",
      "p95",
    ],
    all.map((row) => [
      String(row.size),
      ...cells(row.remember),
      ...cells(row.fact),
      ...cells(row.apply),
      ...cells(row.recall),
    ]),
  );
  process.stdout.write("Milliseconds.\n");
}

function at(times: readonly number[], share: number): string {
  return (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
}
