import { expect, it } from "vitest";
import { testMemory } from "../../support/test-memory.ts";
import { importPath, importText, sample } from "./import-sample.ts";

it("imports a Graphiti graph with current and ended facts and their times", async () => {
  await using place = testMemory();
  const report = await importPath(place, sample("graphiti.json"));
  expect(report).toMatchObject({ source: "graphiti", skipped: 0 });
  const { facts } = await place.memory.execute("entity_facts", { entity_id: "project:shop" });
  expect(facts).toHaveLength(2);
  expect(facts).toContainEqual(
    expect.objectContaining({
      statement: "The shop runs on Node.js 20.",
      status: "active",
      valid_from: "2026-04-02T09:00:00.000Z",
    }),
  );
  expect(facts).toContainEqual(
    expect.objectContaining({
      statement: "The shop runs on Node.js 18.",
      status: "superseded",
      valid_to: "2026-04-02T09:00:00.000Z",
    }),
  );
  // It ended, and nothing took its place: a fact would hold for ever.
  const { episodes } = await place.memory.execute("list_episodes", { limit: 50 });
  const ended = episodes.find(({ content }) => content === "Ada was on call for the shop.");
  expect(ended).toMatchObject({
    episode_type: "observation",
    metadata: { invalid_at: "2025-12-31T00:00:00Z" },
  });
  expect(episodes.flatMap(({ entities }) => entities)).toContain("project:shop");
});

it("imports Zep pages like a graph, and a single page", async () => {
  await using place = testMemory();
  await importPath(place, sample("zep.json"));
  const { facts } = await place.memory.execute("entity_facts", { entity_id: "person:Ada" });
  const shown = facts.map(({ statement, status }) => `${status}: ${statement}`);
  expect(shown).toEqual(["superseded: Ada works from Berlin.", "active: Ada works from Lisbon."]);
  const page = { items: [{ uuid: "p-1", fact: "The page has one fact.", name: "HAS" }] };
  const report = await importText(place, JSON.stringify(page), { from: "zep" });
  expect(report).toMatchObject({ added: 1, skipped: 0 });
  await expect(importText(place, '{"answer": 1}', { from: "zep" })).rejects.toThrow(
    'neither "nodes", "edges" nor "episodes"',
  );
});
