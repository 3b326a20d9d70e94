import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { guessImporter, openImportInput } from "../../../src/ingest/importers/index.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import {
  importPath,
  importText,
  sample,
  sampleDatabase,
  temporaryFolder,
} from "./import-sample.ts";

async function episodes(testMemory: TestMemory) {
  const { episodes: found } = await testMemory.memory.execute("list_episodes", { limit: 500 });
  return found.toReversed();
}

const contents = async (testMemory: TestMemory) =>
  (await episodes(testMemory)).map(({ content }) => content);

const SAMPLES: readonly (readonly [string, () => string, string])[] = [
  ["server-memory", () => sample("server-memory.jsonl"), "server-memory"],
  ["remind's database", () => sampleDatabase("remind.sql"), "remind"],
  ["remind's folder", () => sample("remind-memory"), "remind"],
  ["remind's export", () => sample("remind-export.json"), "remind"],
  ["Claude Code's folder", () => sample("claude-code/-home-ada-shop/memory"), "claude-code"],
  ["instructions", () => sample("CLAUDE.md"), "markdown"],
  ["a vault of notes", () => sample("vault"), "markdown"],
  ["Basic Memory's folder", () => sample("basic-memory"), "basic-memory"],
  ["mem0", () => sample("mem0.json"), "mem0"],
  ["OpenMemory", () => sample("openmemory.json"), "openmemory"],
  ["claude-mem's database", () => sampleDatabase("claude-mem.sql"), "claude-mem"],
  ["claude-mem's export", () => sample("claude-mem.json"), "claude-mem"],
  ["Graphiti", () => sample("graphiti.json"), "graphiti"],
  ["Zep", () => sample("zep.json"), "zep"],
  ["Letta's agent file", () => sample("letta.af"), "letta"],
  ["Beads", () => sample("beads-issues.jsonl"), "beads"],
  ["CSV", () => sample("notes.csv"), "csv"],
  ["JSON lines", () => sample("notes.jsonl"), "jsonl"],
];

const OPTIONS = { map: { content: "note", by: "who", occurred_at: "when" } };
const optionsFor = (name: string) => (name === "CSV" ? OPTIONS : {});

describe.each(SAMPLES)("%s", (name, path, importer) => {
  it("is detected", async () => {
    expect((await guessImporter(await openImportInput(path())))?.name).toBe(importer);
  });

  it("imports twice without duplicates or events", async () => {
    await using testMemory = createTestMemory();
    const file = path();
    const first = await importPath(testMemory, file, optionsFor(name));
    expect(first.added).toBeGreaterThan(0);
    const state = await contents(testMemory);
    const { next_since_seq: seq } = await testMemory.memory.execute("events", { limit: 10_000 });
    const second = await importPath(testMemory, file, optionsFor(name));
    expect(second).toMatchObject({ added: 0, changed: 0, skipped: first.skipped });
    expect(await contents(testMemory)).toEqual(state);
    expect((await testMemory.memory.execute("events", { since_seq: seq })).events).toEqual([]);
  });
});

const JSON_SAMPLES =
  "mem0,OpenMemory,claude-mem's export,Graphiti,Zep,Letta's agent file,Beads".split(",");
const TIME_VALUE = /"((?:created|updated|closed|valid|invalid)_at|create_time)"\s*:\s*"([^"]+)"/g;

it.each(SAMPLES.filter(([name]) => JSON_SAMPLES.includes(name)))(
  "%s is imported alike if its times are numbers",
  async (name, path, from) => {
    const text = readFileSync(path(), "utf8");
    const numbers = text.replaceAll(TIME_VALUE, (pair, key, time) => {
      const value = Date.parse(time);
      return Number.isNaN(value) ? pair : `"${key}": ${value}`;
    });
    const times = async (content: string) => {
      await using testMemory = createTestMemory();
      await importText(testMemory, content, { from, ...optionsFor(name) });
      return (await episodes(testMemory)).map(({ occurred_at }) => occurred_at);
    };
    expect(await times(numbers)).toEqual(await times(text));
  },
);

describe("server-memory", () => {
  it("imports observations with their entity, and relations", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("server-memory.jsonl"));
    expect((await episodes(testMemory))[0]).toMatchObject({
      content: "Maintains the billing service",
      entities: ["person:Mira_Okafor"],
      source_type: "import:server-memory",
      source_ref: "Mira_Okafor",
      labels: [{ key: "import", value: "server-memory" }],
    });
    const { edges } = await testMemory.memory.execute("entity_graph", {});
    expect(edges).toContainEqual(
      expect.objectContaining({
        source: "person:Mira_Okafor",
        target: "tool:billing",
        relation: "maintains",
      }),
    );
  });

  it("imports facts on request and preserves unknown types", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("server-memory.jsonl"), { asFacts: true });
    const office = (await episodes(testMemory)).find(({ content }) => content === "Opened in 2021");
    expect(office).toMatchObject({
      episode_type: "fact",
      entities: ["other:Helsinki office"],
      metadata: { entity_type: "location" },
    });
  });

  it("reports invalid lines", async () => {
    await using testMemory = createTestMemory();
    const text =
      '{"type":"entity","name":"a","entityType":"tool","observations":["x"]}\nbroken\n{}\n';
    const report = await importText(testMemory, text, { from: "server-memory" });
    expect(report).toMatchObject({ added: 1, skipped: 2 });
    expect(report.skips.map(({ where }) => where)).toEqual(["line 2", "line 3"]);
  });

  const record = (name: string) =>
    `{"type":"entity","name":"${name}","entityType":"tool","observations":["${name} } \\" works"]}`;
  it.each([
    ["two records on a line", `${record("a")}${record("b")}\n`, 0],
    [
      "a record cut off by another writer",
      `${record("a")}{"type":"entity","na\n${record("b")}\n`,
      1,
    ],
    ["a cut end", `${record("a")}\n${record("b")}\n{"type":"ent`, 1],
    ["a list of all records", `[\n  ${record("a")},\n  ${record("b")}\n]\n`, 0],
    ["lines that end with a comma", `${record("a")},\n${record("b")},\n`, 0],
    ["a graph", `{"entities":[${record("a")},${record("b")}],"relations":[]}`, 0],
    [
      "an indented graph",
      JSON.stringify(JSON.parse(`{"entities":[${record("a")},${record("b")}]}`), undefined, 2),
      0,
    ],
  ])("reads %s", async (_, text, skipped) => {
    await using testMemory = createTestMemory();
    const report = await importText(testMemory, text, { from: "server-memory" });
    expect(report).toMatchObject({ added: 2, skipped });
    const contents = (await episodes(testMemory)).map(({ content }) => content).sort();
    expect(contents).toEqual(['a } " works', 'b } " works']);
  });

  it("imports incomplete records and reports missing required fields", async () => {
    await using testMemory = createTestMemory();
    const text = [
      '{"type":"entity","name":"a","entityType":"tool","observations":"one text"}',
      '{"type":"entity","name":"b"}',
      '{"type":"entity","name":""}',
      '{"type":"relation","from":"a","to":"b"}',
    ].join("\n");
    const report = await importText(testMemory, text, { from: "server-memory" });
    expect(report).toMatchObject({ added: 2, skipped: 2 });
    expect(report.skips.map(({ reason }) => reason)).toEqual([
      "entity: needs name (text) and observations (a list of texts)",
      "relation: needs from, to and relationType (texts)",
    ]);
  });
});

describe("remind", () => {
  it.each([
    ["database", () => sampleDatabase("remind.sql")],
    ["folder", () => sample("remind-memory")],
    ["export", () => sample("remind-export.json")],
  ])("imports facts, conflicts, concepts, evidence and labels of its %s", async (_name, path) => {
    await using testMemory = createTestMemory();
    expect(await importPath(testMemory, path())).toMatchObject({ skipped: 0 });
    const all = await episodes(testMemory);
    const old = all.find(({ content }) => content === "orders runs on Postgres 14");
    expect(old).toMatchObject({ episode_type: "fact", asserted_by: "lena", source_ref: "wiki/db" });
    const { conflicts } = await testMemory.memory.execute("list_conflicts", { status: "all" });
    const texts = conflicts.map(({ status, description }) => `${status}: ${description}`);
    expect(texts).toContain("open: wiki against code");
    const { concepts } = await testMemory.memory.execute("list_concepts", {});
    const pattern = concepts.find(({ title }) => title === "Warm what a deploy empties");
    expect(pattern).toMatchObject({ type: "pattern", confidence: 0.5 });
    const detail = await testMemory.memory.execute("get_concept", {
      concept_id: pattern?.id ?? "",
    });
    expect(detail.evidence).toContainEqual(
      expect.objectContaining({ type: "supporting", strength: 0.8, note: "seen twice" }),
    );
    expect(detail.source_episodes).toHaveLength(2);
    const decision = all.find(({ episode_type: type }) => type === "decision");
    expect(decision?.labels).toContainEqual({ key: "area", value: "ops" });
    const cold = all.find(({ content }) => content.includes("cold after each deploy"));
    expect(cold).toMatchObject({
      processed: true,
      entities: expect.arrayContaining(["concept:caching", "file:src/cache.ts"]),
      metadata: { entity_types: { "concept:caching": "subject" } },
    });
    const postgres = await testMemory.memory.execute("recall", {
      query: "Postgres orders version",
    });
    expect(postgres.formatted).toContain("Postgres 16");
  });
});

describe("Claude Code", () => {
  it("maps note kinds to types and imports the rest as text", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("claude-code/-home-ada-shop/memory"));
    const all = await episodes(testMemory);
    expect(all.map((one) => [one.metadata?.import_id, one.episode_type])).toEqual([
      ["feedback_small_commits.md", "preference"],
      ["odd.md", "observation"],
      ["project_deploy_days.md", "decision"],
    ]);
    expect(all[0]).toMatchObject({
      entities: ["project:shop"],
      asserted_by: "user",
      labels: [
        { key: "import", value: "claude-code" },
        { key: "see", value: "deploy days" },
      ],
    });
    expect(all[0]?.content).toContain("The user wants small commits");
  });

  it("updates a changed note", async () => {
    await using testMemory = createTestMemory();
    const folder = join(temporaryFolder(), "-x", "memory");
    cpSync(sample("claude-code/-home-ada-shop/memory"), folder, { recursive: true });
    await importPath(testMemory, folder);
    writeFileSync(join(folder, "project_deploy_days.md"), "Deploys happen on Wednesdays now.");
    expect(await importPath(testMemory, folder)).toMatchObject({ added: 0, changed: 1, known: 2 });
    expect(await contents(testMemory)).toContain("Deploys happen on Wednesdays now.");
  });
});

describe("markdown", () => {
  it("imports each bullet of an instruction file as a preference", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("CLAUDE.md"));
    const all = await episodes(testMemory);
    expect(all.map(({ content }) => content)).toEqual([
      "The shop sells tea.",
      "Use tabs in Go files",
      "Tests: name them after what broke",
      "Tests: never mock the database",
      "```sh\nmake test\n```",
    ]);
    expect(all[1]).toMatchObject({
      episode_type: "preference",
      source_ref: "CLAUDE.md#Style",
      labels: [
        { key: "import", value: "markdown" },
        { key: "section", value: "Shop > Style" },
      ],
    });
  });

  it("imports notes as linked concepts", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("vault"));
    const { nodes, edges } = await testMemory.memory.execute("graph", {});
    expect(nodes.map(({ title }) => title).sort()).toEqual(["2026_03_31", "Release train"]);
    expect(edges.map(({ type }) => type)).toEqual(["related_to", "related_to"]);
    const daily = (await episodes(testMemory)).find(({ content }) => content.includes("met Lena"));
    expect(daily).toMatchObject({ occurred_at: "2026-03-31T00:00:00.000Z" });
    expect(daily?.labels).toContainEqual({ key: "tag", value: "release" });
  });
});

describe("basic-memory", () => {
  it("maps categories to types and relations to links", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("basic-memory"));
    const all = await episodes(testMemory);
    expect(all.map((one) => [one.episode_type, one.content])).toEqual([
      ["decision", "Beans are ordered on the first of the month"],
      ["fact", "The machine is a La Marzocco (serial on the back)"],
      ["preference", "Quiet after two o'clock"],
    ]);
    const { edges } = await testMemory.memory.execute("graph", {});
    expect(edges).toMatchObject([{ type: "relates_to" }]);
  });
});

describe("mem0 and OpenMemory", () => {
  it("imports times, authors and categories of mem0, and skips empty records", async () => {
    await using testMemory = createTestMemory();
    expect(await importPath(testMemory, sample("mem0.json"))).toMatchObject({
      added: 2,
      skipped: 1,
    });
    expect((await episodes(testMemory))[0]).toMatchObject({
      content: "Prefers window seats",
      episode_type: "preference",
      asserted_by: "ines",
      occurred_at: "2026-01-14T17:12:31.123Z",
      metadata: { trip: "Porto" },
    });
  });

  it("reads an OpenMemory ZIP and deletes archived items", async () => {
    await using testMemory = createTestMemory();
    const file = join(temporaryFolder(), "backup.zip");
    const entry = readFileSync(sample("openmemory.json"));
    writeFileSync(file, zipSync({ "backup/memories.json": entry, "memories.jsonl.gz": entry }));
    expect(await importPath(testMemory, file)).toMatchObject({ added: 3, skipped: 1 });
    expect(await contents(testMemory)).toEqual([
      "Likes terse answers",
      "Works on the billing team",
    ]);
    const { episodes: gone } = await testMemory.memory.execute("list_deleted", {});
    expect(gone?.map(({ content }) => content)).toEqual(["Used to work on search"]);
  });
});

describe("claude-mem", () => {
  it("imports observations, their facts and summaries", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sampleDatabase("claude-mem.sql"));
    const all = await episodes(testMemory);
    expect(all.map(({ episode_type: type }) => type)).toEqual([
      "outcome",
      "fact",
      "fact",
      "observation",
      "outcome",
    ]);
    expect(all[0]).toMatchObject({
      session: "s-1",
      occurred_at: "2026-02-03T10:05:00.000Z",
      entities: ["project:orders", "file:src/charge.ts", "file:test/charge.test.ts"],
    });
    expect(all[4]?.content).toBe(
      "Asked: Find the double charge\nLearned: Keys were made anew\nCompleted: Fixed and tested",
    );
  });
});

describe("chatgpt", () => {
  it("reads saved memories as JSON and deletes disabled ones", async () => {
    await using testMemory = createTestMemory();
    const report = await importPath(testMemory, sample("chatgpt-memory.json"), { from: "chatgpt" });
    expect(report).toMatchObject({ added: 2, skipped: 1 });
    expect(await contents(testMemory)).toEqual(["User loves dogs."]);
  });

  it("reads the pasted list", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("chatgpt-pasted.txt"), { from: "chatgpt" });
    const all = await episodes(testMemory);
    expect(all.map((one) => [one.content, one.occurred_at])).toEqual([
      ["User loves dogs.", "2024-04-26T00:00:00.000Z"],
      ["User lives in Graz.", null],
    ]);
  });

  it("reads a ZIP with saved memories", async () => {
    await using testMemory = createTestMemory();
    const file = join(temporaryFolder(), "backup.zip");
    const entry = readFileSync(sample("chatgpt-memory.json"));
    writeFileSync(file, zipSync({ "backup/memories.json": entry, "memories.jsonl.gz": entry }));
    expect(await importPath(testMemory, file, { from: "chatgpt" })).toMatchObject({ added: 2 });
    expect(await contents(testMemory)).toEqual(["User loves dogs."]);
  });

  it("imports conversations only on request", async () => {
    await using testMemory = createTestMemory();
    const file = sample("conversations.json");
    await expect(importPath(testMemory, file)).rejects.toThrow(/--conversations/);
    expect(await importPath(testMemory, file, { conversations: true })).toMatchObject({
      added: 1,
      skipped: 1,
    });
    expect((await episodes(testMemory))[0]).toMatchObject({
      content: "A conversation about: Sourdough",
      source_ref: "https://chatgpt.com/c/abc-1",
    });
  });
});

describe("tables", () => {
  it("maps CSV columns and preserves others as metadata", async () => {
    await using testMemory = createTestMemory();
    const report = await importPath(testMemory, sample("notes.csv"), OPTIONS);
    expect(report).toMatchObject({ added: 2, skipped: 1 });
    expect(report.skips[0]?.reason).toContain("--map content=NAME");
    expect(await episodes(testMemory)).toMatchObject([
      {
        content: "The heating is off at night",
        asserted_by: "ana",
        occurred_at: "2026-03-01T00:00:00.000Z",
        metadata: { room: "201" },
      },
      { content: 'Ask for the "blue" key' },
    ]);
  });

  it("rejects an unknown episode field", async () => {
    await using testMemory = createTestMemory();
    const map = { contents: "note" };
    await expect(importPath(testMemory, sample("notes.csv"), { map })).rejects.toThrow(
      /map: "contents" is not one of content, id/,
    );
  });
});

describe("deleted items", () => {
  it("are not restored by the next import", async () => {
    await using testMemory = createTestMemory();
    await importPath(testMemory, sample("mem0.json"));
    await testMemory.memory.execute("delete_episode", { episode_id: "ep:1" });
    expect(await importPath(testMemory, sample("mem0.json"))).toMatchObject({ added: 0, known: 2 });
    expect(await contents(testMemory)).toEqual(["Works as a nurse in Lisbon"]);
  });
});

describe("a rejected record", () => {
  it("is skipped with its reason while others are imported", async () => {
    await using testMemory = createTestMemory({
      limits: { contentBytes: 1000, changesetOps: 10_000, proposalDays: 60 },
    });
    const lines = [..."abc"].map((id) => ({
      id,
      text: id === "b" ? "x".repeat(2000) : `note ${id}`,
    }));
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const report = await importText(testMemory, text, { from: "jsonl" });
    expect(report).toMatchObject({ added: 2, skipped: 1 });
    expect(report.skips[0]).toMatchObject({ where: "b", reason: expect.stringContaining("1000") });
  });
});

describe("an interrupted import", () => {
  it("resumes where it ended", async () => {
    await using testMemory = createTestMemory();
    const lines = Array.from({ length: 700 }, (_, n) =>
      JSON.stringify({ id: n, text: `note ${n}` }),
    );
    const file = join(temporaryFolder(), "notes.jsonl");
    writeFileSync(file, lines.slice(0, 400).join("\n"));
    await importPath(testMemory, file);
    rmSync(file);
    writeFileSync(file, lines.join("\n"));
    expect(await importPath(testMemory, file)).toMatchObject({
      added: 300,
      known: 400,
      skipped: 0,
    });
  });
});
