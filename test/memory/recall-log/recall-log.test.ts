import { describe, expect, it } from "vitest";
import {
  createPromptContext,
  createSessionContext,
  formatMomentContext,
} from "../../../src/memory/index.ts";
import { OWNER } from "../../../src/shared/caller.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const KEPT = { recalls: 100, days: 30 };

async function createFilledMemory(recallLog = KEPT): Promise<TestMemory> {
  const here = createTestMemory({ recallLog });
  await here.apply(
    'remember t=decision e=module:deploy "We deploy on Tuesdays, after the backup has run."',
    'remember t=fact e=tool:cache "The cache keeps entries for 600 seconds."',
    'remember t=preference "Indent source code with tabs, please."',
    'remember t=observation "The lift in the office is out of order."',
  );
  return here;
}

function ask({ memory }: TestMemory, query: string, more: object = {}, by = OWNER) {
  return memory.executeNamed(
    "recall",
    { query, ...more },
    { caller: by, surface: "mcp", client: "codex", session: "s1" },
  );
}

describe("the log of recalls", () => {
  it("contains query, caller and results", async () => {
    await using here = await createFilledMemory();
    await ask(here, "when do we deploy?", { k: 2 });
    const { recalls, total } = await here.call("recalls");
    expect(total).toBe(1);
    expect(recalls[0]).toMatchObject({
      way: "mcp",
      client: "codex",
      session: "s1",
      by: null,
      question: "when do we deploy?",
      asked: { k: 2 },
      cut: 0,
    });
    expect(recalls[0]?.items[0]).toEqual({
      id: "ep:1",
      rank: 1,
      score: expect.any(Number),
      cut: false,
      type: "decision",
      text: "We deploy on Tuesdays, after the backup has run.",
    });
  });

  it("contains omitted results", async () => {
    await using here = await createFilledMemory();
    await ask(here, "deploy cache seconds backup", { max_chars: 130 });
    const [recall] = (await here.call("recalls")).recalls;
    expect(recall?.given).toBeGreaterThan(0);
    expect(recall?.cut).toBeGreaterThan(0);
    const cut = recall?.items.filter((item) => item.cut).map(({ id }) => id) ?? [];
    expect(cut.length).toBeGreaterThan(0);
  });

  it("contains context added by hooks and the agent", async () => {
    await using here = await createFilledMemory();
    const { memory } = here;
    await createSessionContext({
      project: memory,
      own: undefined,
      requester: { client: "claude-code", session: "s9" },
    });
    const ownSource = { kind: "claude-code", key: "s9" };
    const shown = new Set<string>();
    await createPromptContext(memory, {
      prompt: "When do we deploy the module?",
      shown,
      ownSource,
    });
    await formatMomentContext(memory, { use: "read", files: ["src/none.ts"], shown, ownSource });
    const { recalls } = await here.call("recalls", { session: "s9" });
    expect(recalls.map(({ way, client }) => [way, client])).toEqual([
      ["prompt", "claude-code"],
      ["start", "claude-code"],
    ]);
    expect(recalls[0]?.items.map(({ id }) => id)).toContain("ep:1");
    expect(recalls[1]?.items.map(({ id }) => id)).toEqual(["ep:3", "ep:1", "ep:2"]);
  });

  it("limits number and age of entries", async () => {
    await using here = await createFilledMemory({ recalls: 3, days: 1 });
    for (const word of ["one", "two", "three", "four"]) {
      here.clock.advance(1_000);
      await ask(here, `deploy ${word}`);
      await here.call("recalls");
    }
    const { recalls } = await here.call("recalls");
    expect(recalls.map(({ question }) => question)).toEqual([
      "deploy four",
      "deploy three",
      "deploy two",
    ]);
    here.clock.advance(25 * 60 * 60 * 1000);
    await ask(here, "deploy later");
    expect((await here.call("recalls")).total).toBe(1);
  });

  it("masks secrets in queries", async () => {
    await using here = await createFilledMemory();
    const key = `sk-ant-api03-${"a1B2c3D4".repeat(11)}-AA`;
    await ask(here, `what is ${key} for?`, { context: `and ${key}` });
    const text = JSON.stringify(await here.call("recalls"));
    expect(text).not.toContain("a1B2c3D4");
    expect(text).toContain("[masked:");
  });

  it("removes purged items and the queries that found them", async () => {
    await using here = await createFilledMemory();
    await ask(here, "is it Tuesdays, after the backup?");
    await ask(here, "the lift in the office");
    await here.call("recalls");
    await here.call("purge", { ids: ["ep:1"] });
    const { recalls } = await here.call("recalls");
    expect(recalls.flatMap(({ items }) => items.map(({ id }) => id))).not.toContain("ep:1");
    expect(recalls.map(({ question }) => question)).toEqual(["the lift in the office", null]);
    const database = await here.memory.database();
    expect(await database.findBytes("after the backup?")).toEqual([]);
    expect(await database.findBytes("the lift in the office")).not.toEqual([]);
  });

  it("does not store an item purged before its recall is logged", async () => {
    await using here = await createFilledMemory();
    await ask(here, "is it Tuesdays, after the backup?");
    await here.call("purge", { ids: ["ep:1"] });
    const { recalls } = await here.call("recalls");
    expect(recalls).toMatchObject([{ question: null }]);
    expect(recalls[0]?.items.map(({ id }) => id)).not.toContain("ep:1");
  });

  it("shows non-admins only recalls of their token", async () => {
    await using here = await createFilledMemory();
    const ada = { name: "ada", scope: "read" } as const;
    await ask(here, "what the owner asks about deploying");
    await ask(here, "when do we deploy?", {}, ada as never);
    const seen = (await here.memory.executeNamed("recalls", {}, { caller: ada })) as {
      recalls: { question: string; by: string }[];
    };
    expect(seen.recalls).toMatchObject([{ question: "when do we deploy?", by: "ada" }]);
    expect((await here.call("recalls")).total).toBe(2);
    const seenBy = async (admin: string) => {
      const within = { [admin]: "admin" } as const;
      const databases = [here.memory.name, "other"];
      const carla = { name: "carla", scope: "read", databases, within } as const;
      const list = await here.memory.executeNamed("recalls", {}, { caller: carla });
      return (list as { total: number }).total;
    };
    expect([await seenBy(here.memory.name), await seenBy("other")]).toEqual([2, 0]);
  });

  it("emits no event and creates no change or database", async () => {
    await using here = await createFilledMemory();
    const before = await here.call("stats");
    await ask(here, "when do we deploy?");
    await here.call("recalls");
    expect(await here.call("stats")).toEqual(before);
    await using empty = createTestMemory({ recallLog: KEPT });
    await ask(empty, "anything");
    await empty.call("recalls");
    expect(await empty.memory.isThere()).toBe(false);
  });

  it("is disabled by the setting, and skips internal recalls", async () => {
    await using here = createTestMemory();
    await here.call("remember", { content: "We deploy on Tuesdays." });
    await ask(here, "deploy");
    expect((await here.call("recalls")).total).toBe(0);
    await using logged = await createFilledMemory();
    await logged.call("recall", { query: "deploy" });
    expect((await logged.call("recalls")).total).toBe(0);
  });

  it("is paginated", async () => {
    await using here = await createFilledMemory();
    for (const word of ["one", "two", "three"]) {
      here.clock.advance(1_000);
      await ask(here, `deploy ${word}`);
    }
    const first = await here.call("recalls", { limit: 2 });
    const second = await here.call("recalls", { limit: 2, cursor: first.next_cursor });
    expect(first.recalls.map(({ question }) => question)).toEqual(["deploy three", "deploy two"]);
    expect(second.recalls.map(({ question }) => question)).toEqual(["deploy one"]);
    expect(second.next_cursor).toBeUndefined();
    const found = await here.call("recalls", { text: "TWO" });
    expect(found.total).toBe(1);
  });
});
