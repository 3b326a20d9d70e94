import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guessImporter, openImportInput } from "../../../src/ingest/importers/index.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { importPath, importText, sample, temporaryFolder } from "./import-sample.ts";

it("imports a Graphiti graph with current and ended facts and their times", async () => {
  await using testMemory = createTestMemory();
  const report = await importPath(testMemory, sample("graphiti.json"));
  expect(report).toMatchObject({ source: "graphiti", skipped: 0 });
  const { facts } = await testMemory.memory.execute("entity_facts", { entity_id: "project:shop" });
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
  // The fact ended without a successor. Imported as an observation, because a fact would stay
  // active.
  const { episodes } = await testMemory.memory.execute("list_episodes", { limit: 50 });
  const ended = episodes.find(({ content }) => content === "Ada was on call for the shop.");
  expect(ended).toMatchObject({
    episode_type: "observation",
    metadata: { invalid_at: "2025-12-31T00:00:00Z" },
  });
  expect(episodes.flatMap(({ entities }) => entities)).toContain("project:shop");
});

it("imports Zep pages like a graph, and a single page", async () => {
  await using testMemory = createTestMemory();
  await importPath(testMemory, sample("zep.json"));
  const { facts } = await testMemory.memory.execute("entity_facts", { entity_id: "person:Ada" });
  const lines = facts.map(({ statement, status }) => `${status}: ${statement}`);
  expect(lines).toEqual(["superseded: Ada works from Berlin.", "active: Ada works from Lisbon."]);
  const page = { items: [{ uuid: "p-1", fact: "The page has one fact.", name: "HAS" }] };
  const report = await importText(testMemory, JSON.stringify(page), { from: "zep" });
  expect(report).toMatchObject({ added: 1, skipped: 0 });
  await expect(importText(testMemory, '{"answer": 1}', { from: "zep" })).rejects.toThrow(
    'neither "nodes", "edges" nor "episodes"',
  );
});

it("imports a Letta agent's memory, and conversations on request", async () => {
  await using testMemory = createTestMemory();
  const report = await importPath(testMemory, sample("letta.af"));
  expect(report).toMatchObject({
    added: 1,
    skips: [{ where: "blocks[1]", reason: 'the block "persona" is empty' }],
  });
  const talk = await importPath(testMemory, sample("letta.af"), { conversations: true });
  expect(talk).toMatchObject({ added: 2, known: 1 });
  const passages = [
    {
      id: "passage-1",
      text: "The cache is cleared at night.",
      tags: ["ops"],
      created_at: "2025-11-05 23:04:24.901468+00:00",
    },
    { id: "passage-2", text: "Gone.", is_deleted: true },
  ];
  const archival = await importText(testMemory, JSON.stringify(passages), { from: "letta" });
  expect(archival).toMatchObject({ added: 2, skipped: 0 });
  const { episodes } = await testMemory.memory.execute("list_episodes", { limit: 50 });
  expect(episodes.map(({ content }) => content)).not.toContain("Gone.");
  expect(episodes.find(({ content }) => content.startsWith("The cache"))).toMatchObject({
    occurred_at: "2025-11-05T23:04:24.901Z",
  });
});

it("imports Beads issues with their outcome, from file or folder", async () => {
  await using testMemory = createTestMemory();
  const folder = join(temporaryFolder(), ".beads");
  mkdirSync(folder);
  copyFileSync(sample("beads-issues.jsonl"), join(folder, "issues.jsonl"));
  expect((await guessImporter(await openImportInput(folder)))?.name).toBe("beads");
  const report = await importPath(testMemory, folder);
  expect(report).toMatchObject({ source: "beads", added: 4, skipped: 0 });
  const { episodes } = await testMemory.memory.execute("list_episodes", { limit: 50 });
  const [outcome] = episodes.filter(({ episode_type: type }) => type === "outcome");
  expect(outcome).toMatchObject({ source_ref: "gh-118", asserted_by: "bruno" });
  expect(outcome?.content).toContain("Closed: Every charge carries a key now.");
  expect(episodes.map(({ content }) => content.split("\n")[0])).not.toContain(
    "Try the old gateway",
  );
});
