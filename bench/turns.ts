/**
 * Cost of 1 000 conversation turns stored as passages: CPU time, wall-clock time and database
 * size, without vectors and with those of the bundled embedder.
 *
 *   npx tsx bench/turns.ts sde-dev.json
 *
 * The conversations are those of `vectorize-io/sde-bench` (MIT), which is not included here.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SqliteDatabase } from "../src/database/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../src/memory/index.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { readBench, type Turn } from "./sessions/tasks.ts";
import { printTable } from "./support/print-table.ts";
import { cpuMsOf } from "./support/serve-process.ts";
import { createDefaultEmbedder, withTemporaryFolder } from "./support/temporary-memory.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: bench/turns.ts sde-dev.json");
const chats = readBench(file, "conversation").decoys;
const turns = chats.reduce((sum, chat) => sum + chat.length, 0);
const characters = chats.flat().reduce((sum, { text }) => sum + text.length, 0);

await withTemporaryFolder(async (folder) => {
  const path = join(folder, "bench.db");
  const memory = openMemory({
    name: "bench",
    database: new SqliteDatabase({ path }),
    embedder: createDefaultEmbedder(),
    operations: createOperations(),
    logger: silentLogger,
  });
  const rows = [
    ["nothing", "", "", measureSize(path)],
    ["texts", ...(await measureStorage(() => storeAll(memory))), measureSize(path)],
    [
      "and vectors",
      ...(await measureStorage(() => memory.makeMissingVectors())),
      measureSize(path),
    ],
  ];
  await memory.close();
  console.log(
    `${turns} turns, ${Math.round(characters / turns)} characters each; per 1 000 turns:`,
  );
  printTable(["stored", "CPU s", "wall s", "total MB"], rows);
});

async function storeAll(memory: MemoryEngine): Promise<void> {
  for (const [index, chat] of chats.entries()) await storeConversation(memory, chat, index);
}

/** Stores one turn at a time, as hooks do during a session. */
async function storeConversation(
  memory: MemoryEngine,
  chat: readonly Turn[],
  index: number,
): Promise<void> {
  for (const [at, { by, text }] of chat.entries()) {
    const occurredAt = new Date(Date.UTC(2026, 2, 1 + index, 9, at)).toISOString();
    await memory.execute("read_source", {
      ...{ kind: "claude-code", key: String(index), mark: String(at) },
      passages: [{ key: String(at), by, text, occurred_at: occurredAt }],
    });
  }
}

async function measureStorage(work: () => Promise<unknown>): Promise<string[]> {
  const [start, before] = [performance.now(), readCpuMs()];
  await work();
  const times = [readCpuMs() - before, performance.now() - start];
  return times.map((ms) => (ms / turns).toFixed(2));
}

/** CPU milliseconds of this process and of its embedding processes. */
function readCpuMs(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
  const pids = [process.pid, ...children.split(" ").filter(Boolean).map(Number)];
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

function measureSize(path: string): string {
  const bytes = [path, `${path}-wal`]
    .map((name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
  return (bytes / 2 ** 20).toFixed(2);
}
