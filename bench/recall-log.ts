/**
 * Cost of the recall log: the same questions alternate between two copies of one memory in one
 * process, one with the log and one without. The time to store the log entries, which happens in
 * the background, is reported separately.
 *
 *   npx tsx bench/recall-log.ts [--episodes 5000] [--rounds 40] [--questions 25]
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SqliteDatabase } from "../src/database/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../src/memory/index.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { printTable } from "./support/print-table.ts";
import { syntheticText } from "./support/synthetic-text.ts";
import { withTemporaryFolder } from "./support/temporary-memory.ts";

const { values } = parseArgs({
  options: {
    episodes: { type: "string", default: "5000" },
    rounds: { type: "string", default: "40" },
    questions: { type: "string", default: "25" },
  },
});
const [episodes, rounds, questions] = [values.episodes, values.rounds, values.questions].map(
  Number,
);

/** Default limits of a server. */
const LOG_LIMITS = { recalls: 2_000, days: 90 };

await withTemporaryFolder(async (folder) => {
  const text = syntheticText(7);
  const path = (name: string) => join(folder, `${name}.db`);
  const filled = openCopy(path("without"), false);
  for (let done = 0; done < (episodes ?? 0); done += 1_000) {
    const ops = Array.from({ length: 1_000 }, () => `remember "${text.sentence(24)}"`);
    await filled.execute("apply", { changeset: ops.join("\n") });
  }
  await filled.close();
  copyFileSync(path("without"), path("with"));
  const memories = {
    without: openCopy(path("without"), false),
    with: openCopy(path("with"), true),
  };
  const requests = Array.from({ length: questions ?? 0 }, () => text.words(4).join(" "));
  const times: Record<keyof typeof memories, number[]> = { without: [], with: [] };
  const stored: number[] = [];
  let turn = 0;
  for (let round = 0; round < (rounds ?? 0); round += 1) {
    for (const query of requests) {
      turn += 1;
      const order =
        turn % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const);
      for (const name of order) {
        times[name].push(await measureTime(() => memories[name].execute("recall", { query })));
      }
    }
    // This operation stores the buffered log entries first.
    stored.push(await measureTime(() => memories.with.execute("recalls", {})));
  }
  // The first rounds only warm caches.
  const warm = (all: readonly number[]) => all.slice(Math.floor(all.length / 5));
  const [without, withLog] = [warm(times.without), warm(times.with)];
  const ratios = withLog.map((time, index) => time / (without[index] ?? time));
  printTable(
    ["recall", "median ms", "p95 ms"],
    [
      ["without the log", median(without).toFixed(3), quantile(without, 0.95).toFixed(3)],
      ["with the log", median(withLog).toFixed(3), quantile(withLog, 0.95).toFixed(3)],
    ],
  );
  console.log(
    `ratio with / without log: ${median(ratios).toFixed(3)}, median of ${ratios.length} pairs`,
  );
  const each = median(warm(stored)) / requests.length;
  console.log(`storing and listing the log, per recall: ${each.toFixed(3)} ms`);
  await memories.without.close();
  await memories.with.close();
});

function openCopy(path: string, hasLog: boolean): MemoryEngine {
  return openMemory({
    name: "bench",
    database: new SqliteDatabase({ path }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    ...(hasLog && { recallLog: LOG_LIMITS }),
  });
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
