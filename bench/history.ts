import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Connection from "better-sqlite3";
import { silentLogger } from "../src/kernel/logger.ts";
import { createOperations, openMemory } from "../src/memory/index.ts";

/**
 * What keeping changes costs: a write with the notes of the database against one without (its
 * triggers dropped), a page of a long history, and the undo of a large change.
 */
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-history-"));
try {
  const rounds = [
    await writeTime(false),
    await writeTime(true),
    await writeTime(false),
    await writeTime(true),
  ];
  const without = Math.min(rounds[0] ?? 0, rounds[2] ?? 0);
  const noted = Math.min(rounds[1] ?? 0, rounds[3] ?? 0);
  console.log(
    `remember, without notes: ${without.toFixed(3)} ms, with: ${noted.toFixed(3)} ms, ratio ${(noted / without).toFixed(3)}`,
  );
  await longHistory();
  await largeUndo();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function open(name: string) {
  return openMemory({
    name,
    path: join(folder, `${name}.db`),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
  });
}

async function writeTime(withNotes: boolean): Promise<number> {
  const name = `write-${withNotes}-${Math.random().toString(36).slice(2)}`;
  const memory = open(name);
  await memory.execute("remember", { content: "The first makes the file" });
  if (!withNotes) {
    const connection = new Connection(memory.path);
    const triggers = connection
      .prepare("select name from sqlite_master where type = 'trigger'")
      .all() as { name: string }[];
    for (const trigger of triggers) connection.exec(`drop trigger "${trigger.name}"`);
    connection.close();
  }
  const count = 1000;
  const started = performance.now();
  for (let n = 0; n < count; n += 1) {
    await memory.execute("remember", {
      content: `Note ${n} of what was decided about the shop and its deployment`,
      entities: `project:shop, file:src/${n % 50}.ts`,
      labels: `area=${n % 7}`,
    });
  }
  const each = (performance.now() - started) / count;
  await memory.close();
  return each;
}

async function longHistory(): Promise<void> {
  const memory = open("long");
  await memory.execute("remember", { content: "One" });
  for (let n = 1; n < 10_000; n += 1) {
    await memory.execute("update_episode", { episode_id: "ep:1", content: `Number ${n}` });
  }
  for (const seq of [9000, 3000, 1000]) {
    await memory.execute("history", { id: "ep:1", before_seq: seq });
  }
  const started = performance.now();
  const page = await memory.execute("history", { id: "ep:1", before_seq: 5000 });
  console.log(
    `page of ${page.count} of 10 000 events: ${(performance.now() - started).toFixed(1)} ms`,
  );
  await memory.close();
}

async function largeUndo(): Promise<void> {
  const memory = open("undo");
  const ops = Array.from(
    { length: 1000 },
    (_, n) => `remember e=project:shop,file:a${n} labels=n=${n} "Note ${n}"`,
  );
  await memory.execute("apply", { changeset: ops.join("\n") });
  const started = performance.now();
  await memory.execute("undo", {});
  console.log(`undo of 1000 ops: ${(performance.now() - started).toFixed(0)} ms`);
  await memory.close();
}
