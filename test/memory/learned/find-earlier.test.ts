import { describe, expect, it } from "vitest";
import { createTestMemory } from "../../support/test-memory.ts";

const preference = (content: string) => ({ content, episode_type: "preference" });

describe("a new decision or preference compared with an earlier one", () => {
  it.each([
    ["Use vitest, not jest.", "We use jest now, not vitest."],
    ["We deploy with Helm.", "We deploy with Kustomize, not Helm."],
    ["Write commit messages in English.", "Write commit messages in German, not in English."],
  ])("contradicts it: %s", async (before, after) => {
    await using t = createTestMemory();
    await t.call("remember", preference(before));
    const { id, earlier } = await t.call("remember", preference(after));
    expect(earlier).toMatchObject([{ id: "ep:1", relation: "contradicts", text: before }]);
    const { open_conflicts: open } = await t.call("recall", { query: after });
    expect(open.map(({ id }: { id: string }) => id)).toEqual([earlier?.[0]?.conflict_id]);
    await t.call("supersede", { old: "ep:1", new: id });
    expect((await t.call("list_conflicts", { status: "open" })).conflicts).toEqual([]);
  });

  it.each([
    ["In the mobile app we use Redux.", "In the web app we use Zustand, not Redux."],
    ["Use vitest, not jest.", "Use tabs, not spaces."],
    ["npm is not to be used: use pnpm", "Never npm, use pnpm"],
    ["We deploy on Fridays.", "Call the deploy job nightly."],
  ])("has nothing to do with it: %s", async (before, after) => {
    await using t = createTestMemory();
    await t.call("remember", preference(before));
    expect(await t.call("remember", preference(after))).not.toHaveProperty("earlier");
  });

  it.each([
    [
      { content: "Commit messages: one line, lowercase, no prefix.", entities: ["person:jo"] },
      {
        content: "Commit messages carry a prefix from now on: feat:, fix:.",
        entities: ["person:jo"],
      },
    ],
    [
      { content: "June likes a video in the pull request.", entities: ["person:june"] },
      { content: "June needs no more videos, screenshots will do.", entities: ["person:june"] },
    ],
    [
      { content: "Einrückung mit Tabs in allen Dateien.", entities: ["person:jo"] },
      { content: "Ab jetzt 4 Leerzeichen, keine Tabs.", entities: ["person:jo"] },
    ],
  ])("contradicts it where something changed on its subject: $content", async (before, after) => {
    await using t = createTestMemory();
    await t.call("remember", { ...before, episode_type: "preference" });
    const { earlier } = await t.call("remember", { ...after, episode_type: "preference" });
    expect(earlier).toMatchObject([{ id: "ep:1", relation: "contradicts", text: before.content }]);
  });

  it.each([
    ["Register every experiment in Neptune.", "No more Neptune: each run writes a JSON file."],
    ["TSLint and Prettier, configured at the root.", "Biome only. Never add TSLint rules anymore."],
    ["Polling loop and IRQ queues, no RTOS.", "Zephyr since release 2. The polling loop is gone."],
    [
      "Wir schreiben Protokolle in Confluence.",
      "Protokolle kommen ins Repo, Confluence ist abgeschafft.",
    ],
    ["Los experimentos van a Neptune.", "Nada de Neptune: cada ejecución escribe un archivo."],
  ])("contradicts one that affirms what it drops: %s", async (before, after) => {
    await using t = createTestMemory();
    await t.call("remember", preference(before));
    await t.call("remember", preference("Errors are returned as problem details."));
    const { earlier } = await t.call("remember", preference(after));
    expect(earlier).toMatchObject([{ id: "ep:1", relation: "contradicts", text: before }]);
  });

  it.each([
    ["Retry a failed upload three times.", "No more than five tabs are open now."],
    ["The gone flag of a user is set by the worker.", "Uploads are gone from the sidebar."],
  ])("does not contradict what only shares words with it: %s", async (before, after) => {
    await using t = createTestMemory();
    await t.call("remember", preference(before));
    expect(await t.call("remember", preference(after))).not.toHaveProperty("earlier");
  });

  it.each([
    ["another subject of the same person", "Reviews need two approvals now.", ["person:jo"]],
    ["the same subject without a change", "Commit messages: in English.", ["person:jo"]],
    [
      "the same in other words",
      "From now on: commit messages in lowercase, one line, no prefix.",
      ["person:jo"],
    ],
    ["the same project only", "The commit hook runs the linter now.", ["project:shop"]],
  ])("has nothing to do with %s", async (_, content, entities) => {
    await using t = createTestMemory();
    const before = "Commit messages: one line, lowercase, no prefix.";
    await t.call("remember", { ...preference(before), entities: ["person:jo", "project:shop"] });
    const after = await t.call("remember", { ...preference(content), entities });
    expect(after).not.toHaveProperty("earlier");
  });

  it("repeats it regardless of type", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "The build cache is redis." });
    const again = await t.call("remember", { content: "the build cache is Redis" });
    expect(again.earlier).toMatchObject([{ id: "ep:1", relation: "repeats" }]);
    expect((await t.call("list_conflicts", {})).conflicts).toEqual([]);
  });

  it("is skipped for episodes of an import", async () => {
    await using t = createTestMemory();
    const ops = Array.from({ length: 11 }, () => ({ op: "remember", content: "Same text." }));
    const { results } = await t.call("apply", { changeset: JSON.stringify(ops) });
    expect(results.every((one: object) => !("earlier" in one))).toBe(true);
  });
});
