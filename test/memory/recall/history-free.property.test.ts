// @module-tag long: random histories.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatabaseBackend, openDatabaseBackend } from "../../../src/database/index.ts";
import {
  createOperations,
  diagnose,
  exportDatabase,
  importDatabase,
  type MemoryEngine,
  openMemory,
} from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { readLines } from "../../../src/shared/read-lines.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { anyStep, applyStep, BEGINNING, type Step } from "../../support/random-history.ts";
import { scaleRuns } from "../../support/scale-runs.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const note = (text: string): Step => ({
  operation: "apply",
  input: { changeset: `remember "${text}"` },
});
const NOTES = ["tall wind", "soup of the blue day", "red red wind and a long way home", "river"];

const QUERIES = ["red river", "blue", "soup wind", "green tall river", "tool a", "riv"];

async function playAll(t: TestMemory, steps: readonly Step[]): Promise<void> {
  const first = BEGINNING.map((changeset): Step => ({ operation: "apply", input: { changeset } }));
  for (const step of [...first, ...NOTES.map(note), ...steps]) await applyStep(t, step);
}

const nine = (score: number) => Number(score.toPrecision(9));

async function answersOf(memory: MemoryEngine) {
  const answers = [];
  for (const query of QUERIES) {
    const { concepts, episodes } = await memory.execute("recall", { query, k: 30, episode_k: 30 });
    answers.push({
      query,
      concepts: concepts.map(({ id, score }) => [id, nine(score)]),
      episodes: episodes.map(({ id, score }) => [id, nine(score)]),
    });
  }
  return answers;
}

async function importInto(backend: DatabaseBackend, from: TestMemory) {
  const lines: string[] = [];
  await exportDatabase(from.memory, async (chunk) => {
    lines.push(chunk);
  });
  const memory = openMemory({
    name: "default",
    database: backend.open("default"),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    clock: from.clock,
  });
  async function* chunks() {
    yield* lines;
  }
  await importDatabase(memory, readLines(chunks()));
  const answers = await answersOf(memory);
  expect((await diagnose(memory)).findings).toEqual([]);
  await memory.close();
  await backend.close();
  return answers;
}

const history = fc.array(anyStep, { minLength: 10, maxLength: 50 });

describe("the result of recall", () => {
  it("depends on current content only: equals a fresh import", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using t = createTestMemory();
        await playAll(t, steps);
        const folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
        try {
          const fresh = await importInto(openDatabaseBackend({ folder, isName: () => true }), t);
          expect(await answersOf(t.memory)).toEqual(fresh);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: scaleRuns(8) },
    );
  }, 360_000);

  it("does not change if other items are stored and deleted, changed or undone", async () => {
    await using t = createTestMemory();
    await playAll(t, []);
    const before = await answersOf(t.memory);
    const { id } = await t.call("remember", { content: "red red river of soup in the wind" });
    expect(await answersOf(t.memory)).not.toEqual(before);
    await t.call("delete", { id });
    expect(await answersOf(t.memory)).toEqual(before);
    await t.call("restore", { id });
    await t.call("update_episode", { episode_id: id, content: "tall tall tall green things" });
    await t.call("purge", { ids: [id] });
    expect(await answersOf(t.memory)).toEqual(before);
    await t.call("remember", { content: "blue blue soup" });
    await t.call("undo");
    expect(await answersOf(t.memory)).toEqual(before);
  });
});

describeOnPostgres("recall on PostgreSQL", () => {
  it("equals recall on SQLite after any history", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using t = createTestMemory();
        await playAll(t, steps);
        using address = takePostgresDatabase();
        const backend = openDatabaseBackend({
          folder: "",
          address: address.url,
          isName: () => true,
        });
        expect(await answersOf(t.memory)).toEqual(await importInto(backend, t));
      }),
      { numRuns: scaleRuns(3) },
    );
  }, 360_000);
});
