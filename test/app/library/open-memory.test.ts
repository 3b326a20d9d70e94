import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, expectTypeOf, it, onTestFinished } from "vitest";
import { type InputOf, isCairnError, openMemory } from "../../../src/index.ts";
import { temporaryMemory } from "../../../src/testing/index.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

it("stores and recalls with only a path, and persists", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "shop.db");
  {
    await using memory = openMemory({ path });
    expect(memory.name).toBe("shop");
    expect((await memory.recall({ query: "deploy" })).episodes).toEqual([]);
    expect(existsSync(path)).toBe(false);
    await memory.remember({ content: "We deploy on Fridays.", episode_type: "decision" });
  }
  await using again = openMemory({ path });
  const { episodes } = await again.recall({ query: "When do we release?" });
  // The texts share no word, so the embedding found the match.
  expect(episodes.map(({ content }) => content)).toEqual(["We deploy on Fridays."]);
});

describeOnPostgres("a memory on a PostgreSQL server", () => {
  it("opens by server URL and name, and persists", async () => {
    using server = takePostgresDatabase();
    const options = { path: server.url, embedding: { provider: "none" } } as const;
    {
      await using memory = openMemory({ ...options, name: "shop" });
      expect([memory.name, await memory.isThere()]).toEqual(["shop", false]);
      await memory.remember({ content: "We deploy on Fridays." });
    }
    const postgres = { poolSize: 2 };
    await using again = openMemory({ ...options, name: "shop", postgres });
    const { episodes } = await again.recall({ query: "deploy" });
    expect(episodes.map(({ content }) => content)).toEqual(["We deploy on Fridays."]);
    await using other = openMemory(options);
    expect([other.name, await other.isThere()]).toEqual(["default", false]);
  });

  it("reports an invalid URL, name or setting", () => {
    const path = "postgres://ada:s3cret@h/shop";
    expect(() => openMemory({ path: "postgres://ada:s3cret@h" })).toThrow(
      /^database: must name a database/,
    );
    expect(() => openMemory({ path, name: "no/name" })).toThrow(/^name: must be 1 to 64 letters/);
    expect(() => openMemory({ path, postgres: { poolSize: 0 } })).toThrow("poolSize");
  });
});

it("has a method for every operation", async () => {
  await using temporary = temporaryMemory();
  const { memory } = temporary;
  for (const name of memory.operations.keys()) expect(memory).toHaveProperty(name);
  await memory.remember({ content: "one", episode_type: "observation" });
  const bySteps = await memory.execute("list_episodes", { limit: 1 });
  expect(await memory.list_episodes({ limit: 1 })).toEqual(bySteps);
  expect((await memory.stats()).episodes.total).toBe(1);
});

it("throws a CairnError naming the field of invalid input", async () => {
  await using temporary = temporaryMemory();
  const wrong = { query: "x", kk: 1 } as InputOf<"recall">;
  const error = await temporary.memory.recall(wrong).catch((thrown: unknown) => thrown);
  expect(isCairnError(error)).toBe(true);
  expect(String(error)).toContain('unknown field "kk"');
});

it("types input and output of each operation", async () => {
  await using temporary = temporaryMemory();
  const { memory } = temporary;
  expectTypeOf(memory.remember).parameter(0).toHaveProperty("content").toEqualTypeOf<string>();
  type Recalled = Awaited<ReturnType<typeof memory.recall>>;
  expectTypeOf<Recalled["episodes"][number]["content"]>().toEqualTypeOf<string>();
  expectTypeOf<Recalled["concepts"][number]["source"]>().toEqualTypeOf<
    "direct" | "spread" | "entity"
  >();
  // The input is optional unless a field is required.
  expectTypeOf(memory.stats).toBeCallableWith();
  // @ts-expect-error: content is required.
  await expect(memory.remember()).rejects.toThrow("content");
  // @ts-expect-error: k is a number.
  await expect(memory.recall({ query: "x", k: "3" })).rejects.toThrow("k:");
  // @ts-expect-error: there is no such operation.
  await expect(memory.execute("recal", {})).rejects.toThrow('Did you mean "recall"?');
});

it("accepts a fake clock and id source", async () => {
  await using temporary = temporaryMemory();
  const { memory, clock } = temporary;
  const first = await memory.remember({ content: "early", episode_type: "observation" });
  clock.advance(60_000);
  const second = await memory.remember({ content: "late", episode_type: "observation" });
  expect([first.created_at, second.created_at]).toEqual([
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:01:00.000Z",
  ]);
  expect(second.id).toBe("ep:2");
});
