/**
 * Cost of recording history: a write with the row log of the database and one without (its
 * triggers dropped), and the same for the running totals. Then pages of a long history, the undo
 * of a large change, and its redo. Times are CPU milliseconds, which other load on the machine
 * affects less.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Connection from "better-sqlite3";
import { SqliteDatabase } from "../src/database/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../src/memory/index.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { printTable } from "./support/print-table.ts";

const ROUNDS = 40;
const WARM_UP = 6;

type Write = (memory: MemoryEngine, n: number) => Promise<unknown>;

const WRITES: Readonly<Record<string, { readonly write: Write; readonly inARow: number }>> = {
  remember: {
    inARow: 40,
    write: (memory, n) =>
      memory.execute("remember", {
        content: `Note ${n} of what was decided about the shop and its deployment`,
        entities: `project:shop, file:src/${n % 50}.ts`,
        labels: `area=${n % 7}`,
      }),
  },
  fact: {
    inARow: 20,
    write: (memory, n) =>
      memory.execute("remember", {
        content: `Service ${n} listens on port ${n}`,
        episode_type: "fact",
        entities: `tool:s${n}`,
      }),
  },
  update: {
    inARow: 40,
    write: (memory, n) =>
      memory.execute("update_episode", { episode_id: "ep:1", content: `What holds at ${n}` }),
  },
  "apply of 50": {
    inARow: 2,
    write: (memory, n) =>
      memory.execute("apply", {
        changeset: Array.from(
          { length: 50 },
          (_, k) => `remember e=project:shop,file:${k} labels=n=${k} "Note ${n} ${k}"`,
        ).join("\n"),
      }),
  },
};

/** Data that triggers maintain, and the name patterns of these triggers. */
const TRIGGERS = { notes: "row_log_*", totals: "totals_*" };

const folder = mkdtempSync(join(tmpdir(), "cairn-bench-history-"));
try {
  for (const [kept, triggers] of Object.entries(TRIGGERS)) {
    const rows: (readonly (string | number)[])[] = [];
    for (const [name, { write, inARow }] of Object.entries(WRITES)) {
      rows.push([name, ...(await measureCost(write, inARow, triggers))]);
    }
    printTable(["write, CPU ms p10", `without ${kept}`, "with", "ratio"], rows);
  }
  printTable(
    ["operation", "p10", "p50", "max"],
    [await measureLongHistory(), ...(await measureLargeUndo())],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function openDatabase(name: string): MemoryEngine {
  return openMemory({
    name,
    database: new SqliteDatabase({ path: join(folder, `${name}.db`) }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
  });
}

/** Alternates between both databases, so that load on the machine affects both alike. */
async function measureCost(write: Write, inARow: number, triggers: string): Promise<string[]> {
  const sides = [await openWithout(triggers), await openWithout()];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { memory, times } of sides) {
      const used = await readCpuMs(async () => {
        for (let n = 0; n < inARow; n += 1) await write(memory, round * inARow + n);
      });
      if (round >= WARM_UP) times.push(used / inARow);
    }
  }
  for (const { memory } of sides) await memory.close();
  const [without = 0, kept = 0] = sides.map(({ times }) => quantile(times, 0.1));
  return [without.toFixed(3), kept.toFixed(3), (kept / without).toFixed(3)];
}

/** Opens a database, without the triggers that match the pattern. */
async function openWithout(without?: string): Promise<{ memory: MemoryEngine; times: number[] }> {
  const memory = openDatabase(`write-${Math.random().toString(36).slice(2)}`);
  await memory.execute("remember", { content: "The first makes the file" });
  if (without !== undefined) {
    const connection = new Connection(join(folder, `${memory.name}.db`));
    const triggers = connection
      .prepare("select name from sqlite_master where type = 'trigger' and name glob ?")
      .all(without) as { name: string }[];
    for (const { name } of triggers) connection.exec(`drop trigger "${name}"`);
    connection.close();
  }
  return { memory, times: [] };
}

async function measureLongHistory(): Promise<string[]> {
  const memory = openDatabase("long");
  await memory.execute("remember", { content: "One" });
  for (let n = 1; n < 10_000; n += 1) {
    await memory.execute("update_episode", { episode_id: "ep:1", content: `Number ${n}` });
  }
  const times: number[] = [];
  for (let page = 0; page < 40; page += 1) {
    const before = 10_000 - page * 240;
    times.push(
      await readCpuMs(() => memory.execute("history", { id: "ep:1", before_seq: before })),
    );
  }
  await memory.close();
  return ["page of 50 of a history of 10 000", ...formatDistribution(times)];
}

async function measureLargeUndo(): Promise<string[][]> {
  const undo: number[] = [];
  const redo: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const memory = openDatabase(`undo-${round}`);
    const ops = Array.from(
      { length: 1000 },
      (_, n) => `remember e=project:shop,file:a${n} labels=n=${n} "Note ${n}"`,
    );
    await memory.execute("apply", { changeset: ops.join("\n") });
    undo.push(await readCpuMs(() => memory.execute("undo", {})));
    redo.push(await readCpuMs(() => memory.execute("redo", {})));
    await memory.close();
  }
  return [
    ["undo of a change of 1 000 ops", ...formatDistribution(undo)],
    ["redo of it", ...formatDistribution(redo)],
  ];
}

async function readCpuMs(body: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await body();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function formatDistribution(times: readonly number[]): string[] {
  return [0.1, 0.5, 1].map((share) => quantile(times, share).toFixed(1));
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
