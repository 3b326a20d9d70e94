import { expect, it } from "vitest";
import { mcpClient, textOf } from "./mcp-client.ts";

const EPISODES = 230;

async function createLargeMemory() {
  const { client, store } = await mcpClient({ structured: true });
  const ops = Array.from({ length: EPISODES }, (_, n) => ({
    op: "remember",
    content: `Note ${n}`,
    entities: ["tool:hub"],
  }));
  await store.open(undefined).execute("apply", { changeset: JSON.stringify(ops) });
  return { client, memory: store.open(undefined) };
}

const shown = { count: EPISODES, omitted: EPISODES - 200, episodes: { length: 200 } };

it("shows a model the 200 newest entries and counts the rest", async () => {
  const { client } = await createLargeMemory();
  const { contents } = await client.readResource({ uri: "memory://pending" });
  const [resource] = contents;
  expect(
    JSON.parse(resource !== undefined && "text" in resource ? resource.text : ""),
  ).toMatchObject(shown);
  const called = await client.callTool({ name: "snapshot", arguments: { scopes: "pending" } });
  expect(JSON.parse(textOf(called)).pending).toMatchObject(shown);
  const few = await client.callTool({ name: "snapshot", arguments: { scopes: "pending:2" } });
  expect(JSON.parse(textOf(few))["pending:2"]).toMatchObject({ omitted: EPISODES - 2 });
});

it("omits nothing for programs", async () => {
  const { memory } = await createLargeMemory();
  const whole = await memory.execute("entity_episodes", { entity_id: "tool:hub" });
  expect(whole).toMatchObject({ total: EPISODES, limit: EPISODES, episodes: { length: EPISODES } });
  expect(whole).not.toHaveProperty("omitted");
  const some = await memory.execute(
    "entity_episodes",
    { entity_id: "tool:hub" },
    { maxItems: 200 },
  );
  expect(some).toMatchObject({ total: EPISODES, omitted: 30, episodes: { length: 200 } });
});

it("shows a model 200 topics and entities, and programs all", async () => {
  const { client, store } = await mcpClient({ interface: "b" });
  const memory = store.open(undefined);
  const ops = Array.from({ length: 210 }, (_, n) => [
    { op: "topic", name: `Topic ${n}` },
    { op: "remember", content: `Note ${n}`, entities: [`file:f${n}`] },
  ]).flat();
  await memory.execute("apply", { changeset: JSON.stringify(ops) });
  for (const [operation, field] of [
    ["list_topics", "topics"],
    ["list_entities", "entities"],
  ] as const) {
    const most = { maxItems: 200 };
    const some = await memory.execute(operation, {}, most);
    expect(some).toMatchObject({ total: 210, omitted: 10, [field]: { length: 200 } });
    const whole = await memory.execute(operation, {});
    expect(whole).toMatchObject({ total: 210, [field]: { length: 210 } });
    expect(whole).not.toHaveProperty("omitted");
  }
  const called = await client.callTool({ name: "list_topics", arguments: {} });
  expect(textOf(called)).toContain("omitted: 10");
});

it("shows 200 facts of a cluster in its resource", async () => {
  const { client, store } = await mcpClient();
  const ops = Array.from({ length: 210 }, (_, n) => ({
    op: "remember",
    t: "fact",
    content: `Fact ${n}`,
    entities: ["tool:hub"],
  }));
  const memory = store.open(undefined);
  await memory.execute("apply", { changeset: JSON.stringify(ops) });
  const { concepts } = await memory.execute("list_concepts", {});
  const { contents } = await client.readResource({ uri: `memory://concept/${concepts[0]?.id}` });
  const [resource] = contents;
  const output = JSON.parse(resource !== undefined && "text" in resource ? resource.text : "");
  expect(output).toMatchObject({ facts: { length: 200 }, omitted: expect.any(Number) });
});
