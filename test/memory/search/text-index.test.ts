import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matchTexts } from "../../../src/memory/search/match-texts.ts";
import { itemAt } from "../../support/defined.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { openPlanRecorder } from "../../support/query-plans.ts";
import { createTestMemory } from "../../support/test-memory.ts";

describe("searching the text index within a set of items", () => {
  itOnSqlite("reads the index once, not once for every item of the set", async () => {
    await using test = createTestMemory();
    await test.call("remember", { content: "alphaword of the first note" });
    await test.call("remember", { content: "alphaword of the second note" });
    using plans = openPlanRecorder(join(test.folder, "default.db"));
    const found = await matchTexts(
      plans.tx,
      ["alphaword"],
      [{ kind: "episode", allowedNumbers: [1] }],
    );
    expect(found.episode.map(({ number }) => number)).toEqual([1]);
    const searches = plans.read().filter((step) => step.includes("episode_text"));
    expect(searches).not.toEqual([]);
    // `=` in the plan means one index probe per row number.
    expect(searches.filter((step) => /INDEX \d+:.*=/.test(step))).toEqual([]);
  });
});

describe("very frequent words", () => {
  it("finds an old item with all of them below thousands of newer ones with one", async () => {
    await using test = createTestMemory();
    const note = (content: string) => ({ op: "remember", content });
    const ops = [
      note("alphaword and betaword in one old note"),
      ...Array.from({ length: 3100 }, () => [
        note("alphaword and nothing else in one new note"),
        note("betaword and nothing else in one new note"),
      ]).flat(),
    ];
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const found = await test.call("recall", { query: "alphaword betaword", min_score: 0 });
    expect(itemAt(found.episodes, 0).id).toBe("ep:1");
  });
});

describe("more matches than the limit", () => {
  it.each(["now", "as_of"])("takes the best of them, not the newest: %s", async (when) => {
    await using test = createTestMemory();
    const note = (content: string) => ({ op: "remember", content });
    const ops = [
      note("alphaword meets betaword in the oldest note"),
      ...Array.from({ length: 260 }, () => note("alphaword and much else in one newer note")),
    ];
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const found = await test.call("recall", {
      query: "alphaword betaword",
      ...(when === "as_of" && { as_of: test.memory.timestamp() }),
    });
    expect(itemAt(found.episodes, 0).id).toBe("ep:1");
  });
});

describe("a large scope", () => {
  it("is searched through the index without results outside it", async () => {
    await using test = createTestMemory();
    const note = (content: string, labels: string) => ({ op: "remember", content, labels });
    const ops = [
      note("alphaword of the other team", "team=other"),
      note("alphaword of the core team", "team=core"),
      ...Array.from({ length: 4100 }, () => note("nothing of interest", "team=core")),
      ...Array.from({ length: 300 }, () => note("alphaword alphaword", "team=other")),
    ];
    await test.call("apply", { changeset: JSON.stringify(ops) });
    const found = await test.call("recall", { query: "alphaword", labels: "team=core" });
    expect(found.episodes.map(({ id }: { id: string }) => id)).toEqual(["ep:2"]);
  });
});
