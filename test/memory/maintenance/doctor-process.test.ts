// @module-tag long: checks databases in child processes.
import { sql } from "drizzle-orm";
import { describe, expect } from "vitest";
import { diagnose, type Progress, reindex, repair } from "../../../src/memory/index.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { countTurns } from "../../support/turns.ts";

async function createDamagedMemory(): Promise<{ test: TestMemory; statements: string[] }> {
  const statements: string[] = [];
  const onStatement = (statement: string) => statements.push(statement);
  const test = createTestMemory({ usesSeparateProcesses: true, onStatement });
  for (let n = 0; n < 5; n += 1) {
    await test.call("remember", { content: `Note ${n}`, entities: "file:f" });
  }
  const database = await test.memory.database();
  await database.write(async (tx) => {
    await tx.run(sql`update episodes set content = 'changed by hand' where id = 2`);
    await tx.run(sql`delete from events where seq = 3`);
  });
  statements.length = 0;
  return { test, statements };
}

const checksOf = ({ findings }: Awaited<ReturnType<typeof diagnose>>) =>
  findings.map(({ check }) => check);

describe("a doctor in a child process", () => {
  itOnSqlite("diagnoses without statements in this process, which stays responsive", async () => {
    const { test, statements } = await createDamagedMemory();
    await using _ = test;
    const stages: string[] = [];
    const onProgress = ({ stage }: Progress) => stages.push(stage);
    await countTurns(async (turn) => {
      const before = turn();
      const found = await diagnose(test.memory, { onProgress });
      expect(turn() - before).toBeGreaterThan(20);
      expect(checksOf(found)).toEqual(["change feed", "change feed", "text index"]);
      expect(stages).toContain("Checking text index");
    });
    expect(statements).toEqual([]);
    await using same = createTestMemory({ folder: test.folder });
    expect(await diagnose(same.memory)).toEqual(await diagnose(test.memory));
  });

  itOnSqlite("repairs what can be repaired", async () => {
    const { test, statements } = await createDamagedMemory();
    await using _ = test;
    expect(checksOf(await repair(test.memory))).toEqual(["change feed", "change feed"]);
    expect(statements).toEqual([]);
    const { episodes } = await test.call("recall", { query: "changed hand" });
    expect(episodes.map(({ id }) => id)).toEqual(["ep:2"]);
    await test.call("remember", { content: "written afterwards" });
  });

  itOnSqlite("rebuilds the indexes and requests embeddings", async () => {
    const { test, statements } = await createDamagedMemory();
    await using _ = test;
    const database = await test.memory.database();
    await database.write(async (tx) => {
      await tx.run(sql`delete from pending_vectors`);
    });
    statements.length = 0;
    await reindex(test.memory);
    expect(statements.filter((text) => /insert|delete|drop/i.test(text))).toEqual([]);
    const asked = await database.read(async (tx) => tx.all(sql`select * from pending_vectors`));
    expect(asked).toHaveLength(5);
    expect(checksOf(await diagnose(test.memory))).toEqual(["change feed", "change feed"]);
  });

  itOnSqlite("exits with its caller", async () => {
    const { test } = await createDamagedMemory();
    await using _ = test;
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("no longer wanted"));
    const mending = repair(test.memory, { signal: stop.signal, onProgress });
    await expect(mending).rejects.toThrow("no longer wanted");
    expect(checksOf(await diagnose(test.memory))).toContain("text index");
  });

  itOnSqlite("runs in this process if no child can be started", async () => {
    const { test, statements } = await createDamagedMemory();
    await using _ = test;
    const { execPath } = process;
    process.execPath = "/nowhere/node";
    try {
      expect(checksOf(await diagnose(test.memory))).toContain("text index");
    } finally {
      process.execPath = execPath;
    }
    expect(statements).not.toEqual([]);
  });
});
