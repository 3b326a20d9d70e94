import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../../src/memory/index.ts";
import { limitLists, readArguments } from "../../../src/server/mcp/tools/call-tool.ts";
import { hostileText } from "../../support/hostile-text.ts";
import { mcpClient, textOf } from "./mcp-client.ts";

describe("arguments as clients send them", () => {
  it.each([
    ["remember", { content: "A", entities: '["file:a.ts","person:Ada"]' }],
    ["remember", { content: "B", labels: '["area=pay"]' }],
    ["remember", { content: "C", labels: '{"area":"pay"}' }],
    ["remember", { content: "D", labels: { area: "pay" }, metadata: null, source_ref: null }],
    ["recall", { query: "A", k: "2", entity: null }],
    ["recall", { query: "A", max_chars: "900", min_score: "0.1" }],
    ["apply", { changeset: [{ op: "remember", content: "E" }] }],
    ["apply", { changeset: 'remember "F"', dry_run: "true" }],
    ["remember", { content: "G", occurred_at: "", labels: "null", entities: ["null"] }],
    ["recall", { query: "null", since: "null", k: "null", labels: [null] }],
  ])("are accepted: %s %j", async (name, input) => {
    const { client } = await mcpClient();
    const result = await client.callTool({ name, arguments: input });
    expect([result.isError ?? false, textOf(result)]).toEqual([false, expect.any(String)]);
  });

  it("parse entities and labels from JSON text", async () => {
    const { client, store } = await mcpClient();
    const input = { content: "A", entities: '["file:a.ts"]', labels: '["area=pay"]' };
    await client.callTool({ name: "remember", arguments: input });
    const memory = store.open();
    expect((await memory.execute("entities", {})).entities).toMatchObject([{ id: "file:a.ts" }]);
    expect((await memory.execute("list_labels", {})).labels).toMatchObject([
      { key: "area", value: "pay" },
    ]);
  });

  it("report excessive nesting by field", async () => {
    const { client } = await mcpClient();
    const nested = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    for (const [name, field] of [
      ["recall", "query"],
      ["apply", "changeset"],
    ] as const) {
      const result = await client.callTool({ name, arguments: { [field]: nested } });
      expect(textOf(result)).toMatch(`${field}: is nested deeper than`);
    }
  });

  it.each([
    ["recall", { q: "x" }, 'Did you mean "query"?'],
    ["remember", { text: "x", contents: "y" }, 'Did you mean "content"?'],
  ])("suggest the intended field: %s %j", async (name, input, hint) => {
    const { client } = await mcpClient();
    expect(
      textOf(await client.callTool({ name, arguments: input })).replaceAll("\\", ""),
    ).toContain(hint);
  });

  it("get a bounded error for any number of unknown fields", async () => {
    const { client } = await mcpClient();
    const input = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]));
    const text = textOf(
      await client.callTool({ name: "recall", arguments: { query: "x", ...input } }),
    );
    expect(text).toMatch(/has \d+ fields; at most 200 are allowed/);
    expect(text.length).toBeLessThan(1_000);
    const few = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, n]));
    const named = textOf(await client.callTool({ name: "recall", arguments: few }));
    expect(named).toMatch(/and \d+ more/);
    expect(named.length).toBeLessThan(15_000);
  });

  it("are stored as well-formed text", async () => {
    const { client, store } = await mcpClient();
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const content = `x${text}`;
        const result = await client.callTool({ name: "remember", arguments: { content } });
        expect(textOf(result)).not.toContain("internal");
        const { episodes } = await store.open().execute("list_episodes", { limit: 1 });
        const stored = (episodes as { content: string }[])[0]?.content ?? "";
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toMatch(/[\0\uFEFF]/);
      }),
      { numRuns: 40 },
    );
  });

  it("pass other values through for the operation to reject", () => {
    const operation = createOperations().get("recall");
    if (operation === undefined) throw new Error("There is no recall.");
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("query", "k", "labels", "x"), fc.jsonValue()),
        (input) => {
          const read = readArguments(operation, input);
          expect(Object.keys(read)).toEqual(Object.keys(input));
          if (typeof input.query === "string") expect(read.query).toBe(input.query);
        },
      ),
    );
  });
});

it("cuts every list of a result to 200 items and counts the rest", () => {
  const facts = Array.from({ length: 5_000 }, (_, n) => ({ id: `fact:${n}` }));
  const bounded = limitLists({ concept: { facts, tags: ["a"] }, omitted: 3, list: facts });
  expect(bounded.list).toHaveLength(200);
  expect(bounded).toMatchObject({ omitted: 4_803, concept: { omitted: 4_800, tags: ["a"] } });
});
