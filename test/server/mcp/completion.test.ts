import { expect, it } from "vitest";
import { mcpClient } from "./mcp-client.ts";

async function createFilledMemory() {
  const { client, store } = await mcpClient();
  await store.open().execute("apply", {
    changeset: [
      'remember e=file:src/app.ts,file:src/main.ts,person:Ada "The start is in app.ts"',
      'remember as=e1 "Retries need a key"',
      "label id=$e1 key=area value=payments",
      'concept as=c title="Make every side effect idempotent" from=$e1 "Keys"',
    ].join("\n"),
  });
  const complete = async (uri: string, name: string, value: string) => {
    const ref = { type: "ref/resource" as const, uri };
    return (await client.complete({ ref, argument: { name, value } })).completion;
  };
  return { client, store, complete };
}

it("completes resource template arguments from memory", async () => {
  const { complete, client } = await createFilledMemory();
  expect((await complete("memory://entity/{id}", "id", "file:src/a")).values).toEqual([
    "file:src/app.ts",
  ]);
  expect((await complete("memory://label/{label}", "label", "ar")).values).toEqual([
    "area=payments",
  ]);
  const concepts = await complete("memory://concept/{id}", "id", "");
  expect(concepts).toMatchObject({ values: [expect.any(String)], hasMore: false });
  const { contents } = await client.readResource({ uri: `memory://concept/${concepts.values[0]}` });
  expect(JSON.stringify(contents)).toContain("side effect");
});

it("completes topics", async () => {
  const { client, store } = await mcpClient({ interface: "b" });
  const changeset = 'topic as=t name="Payments"\ntopic name="Shipping"';
  const { results } = await store.open().execute("apply", { changeset });
  const [id = ""] = results.flatMap((result) => result.id ?? []);
  const ref = { type: "ref/resource" as const, uri: "memory://topic/{id}" };
  const all = await client.complete({ ref, argument: { name: "id", value: "" } });
  expect(all.completion.values).toHaveLength(2);
  const one = await client.complete({ ref, argument: { name: "id", value: id } });
  expect(one.completion.values).toEqual([id]);
  const { contents } = await client.readResource({ uri: `memory://topic/${id}` });
  expect(JSON.stringify(contents)).toContain("Payments");
});

it("completes the topic of a session", async () => {
  const { client } = await createFilledMemory();
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name: "start_session" },
    argument: { name: "task", value: "person:" },
  });
  expect(completion.values).toEqual(["person:Ada"]);
});

it.each([
  ["memory://recent/{n}", "n"],
  ["memory://entity/{id}", "other"],
  ["memory://nothing/{id}", "id"],
])("has no completions for free text: %s, %s", async (uri, name) => {
  const { complete } = await createFilledMemory();
  expect((await complete(uri, name, "a")).values).toEqual([]);
});

it("reports that more values exist", async () => {
  const { store, complete } = await createFilledMemory();
  const ops = Array.from({ length: 120 }, (_, n) => `remember e=tool:t${n} "Tool ${n}"`);
  await store.open().execute("apply", { changeset: ops.join("\n") });
  const completion = await complete("memory://entity/{id}", "id", "tool:t");
  expect(completion).toMatchObject({ hasMore: true });
  expect(completion.values).toHaveLength(100);
});
