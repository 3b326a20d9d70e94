import { describe, expect, it } from "vitest";
import { createInstructions } from "../../../src/server/mcp/index.ts";
import { mcpClient, textOf } from "./mcp-client.ts";

const CORE = [
  ...["remember", "recall", "apply", "snapshot"],
  ...["resolve_conflict", "dismiss_conflict", "undo"],
];

describe("the tools", () => {
  it.each([
    ["a", "all", ["remember", "events", "list_conflicts", "update_concept"], ["create_topic"]],
    ["b", "all", ["remember", "create_topic", "topic_overview"], ["events"]],
    ["a", "core", [...CORE, "events"], ["stats", "list_topics"]],
    ["b", "core", CORE, ["events", "stats"]],
  ] as const)("of interface %s, %s", async (variant, tools, present, absent) => {
    const { client } = await mcpClient({ interface: variant, tools });
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining([...present]));
    for (const name of absent) expect(names).not.toContain(name);
    if (tools === "core") expect(names).toHaveLength(present.length);
  });

  it("declare read-only, destructive and idempotent hints", async () => {
    const { client } = await mcpClient();
    const { tools } = await client.listTools();
    const of = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(of("recall")).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(of("delete_episode")).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(of("update_concept")).toMatchObject({ idempotentHint: true, destructiveHint: false });
  });

  it("have self-contained object schemas", async () => {
    const { client } = await mcpClient({ interface: "b", structured: true });
    for (const tool of (await client.listTools()).tools) {
      expect(tool.inputSchema.type).toBe("object");
      expect(tool.outputSchema?.type).toBe("object");
      expect(JSON.stringify(tool)).not.toMatch(/"\$(schema|ref)":"http/);
      expect(tool.description?.length).toBeGreaterThan(10);
    }
  });

  it("do not mark changesets as destructive, since deletions are soft", async () => {
    const { client } = await mcpClient();
    const { tools } = await client.listTools();
    const apply = tools.find((tool) => tool.name === "apply");
    expect(apply?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });

  it.each(["a", "b"] as const)("of interface %s mention memory", async (variant) => {
    const { client } = await mcpClient({ interface: variant });
    const { tools } = await client.listTools();
    for (const { description } of tools) expect(description).toMatch(/\bmemory\b/i);
    const loaded = tools.filter((tool) => tool._meta?.["anthropic/alwaysLoad"] === true);
    expect(loaded.map((tool) => tool.name)).toEqual(["remember", "recall"]);
  });

  it("of the core set mention only core tools", async () => {
    const { client, store } = await mcpClient({ tools: "core" });
    await store.open().execute("apply", {
      changeset: [
        'remember t=fact e=tool:cache "TTL is 5"',
        'remember t=fact e=tool:cache "TTL is 6"',
        "conflict fact_a=fact:1 fact_b=fact:2",
      ].join("\n"),
    });
    const { tools } = await client.listTools();
    const offered = new Set(tools.map((tool) => tool.name));
    const ops = [...store.operations.values()].flatMap(({ changeset }) => changeset?.op ?? []);
    const others = [...store.operations.keys()].filter(
      (name) => !offered.has(name) && !ops.includes(name) && name.includes("_"),
    );
    const prompts = (await client.listPrompts()).prompts;
    const texts = [
      ...tools.map((tool) => tool.description ?? ""),
      client.getInstructions() ?? "",
      textOf(await client.callTool({ name: "recall", arguments: { query: "cache" } })),
      ...(await Promise.all(
        prompts.map(async ({ name }) => JSON.stringify(await client.getPrompt({ name }))),
      )),
    ];
    expect(texts.join()).toContain("OPEN CONFLICTS (1)");
    for (const name of others) for (const text of texts) expect(text).not.toContain(name);
  });

  it("have lean schemas that clients accept", async () => {
    const { client } = await mcpClient();
    const schemas = (await client.listTools()).tools.map((tool) => tool.inputSchema);
    expect(JSON.stringify(schemas)).not.toMatch(/propertyNames|"additionalProperties":\{\}/);
  });

  it("are listed completely; unknown cursors are rejected", async () => {
    const { client } = await mcpClient();
    const params = { cursor: "nobody-gave-this" };
    for (const list of [
      client.listTools(params),
      client.listResources(params),
      client.listResourceTemplates(params),
      client.listPrompts(params),
    ]) {
      await expect(list).rejects.toMatchObject({ code: -32602 });
    }
  });

  it("show topics on interface b only", async () => {
    const a = await mcpClient();
    const refused = await a.client.callTool({
      name: "remember",
      arguments: { content: "x", topic: "Deploys" },
    });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "invalid_input" } },
    });
    const b = await mcpClient({ interface: "b" });
    await b.client.callTool({ name: "create_topic", arguments: { name: "Deploys" } });
    const kept = await b.client.callTool({
      name: "remember",
      arguments: { content: "x", topic: "Deploys" },
    });
    expect(kept.isError).toBeUndefined();
    const fields = async (client: typeof a.client) =>
      (await client.listTools()).tools.find((tool) => tool.name === "recall")?.inputSchema
        .properties;
    expect(await fields(a.client)).not.toHaveProperty("topic");
    expect(await fields(b.client)).toHaveProperty("topic");
  });
});

describe("a call", () => {
  it("returns text for the model only", async () => {
    const { client } = await mcpClient();
    const kept = await client.callTool({ name: "remember", arguments: { content: "Tea at four" } });
    expect(textOf(kept)).toMatch(/^ep:1 · observation · \d{4}-\d{2}-\d{2}$/);
    const found = await client.callTool({ name: "recall", arguments: { query: "tea" } });
    expect(textOf(found)).toMatch(/^ep:1 · [01]\.\d{2} · observation · .*\n {4}Tea at four$/);
    for (const answer of [kept, found]) expect(answer.structuredContent).toBeUndefined();
    for (const tool of (await client.listTools()).tools) expect(tool.outputSchema).toBeUndefined();
  });

  it("returns structured content on request", async () => {
    const { client } = await mcpClient({ structured: true });
    const kept = await client.callTool({ name: "remember", arguments: { content: "Tea at four" } });
    expect(JSON.parse(textOf(kept))).toEqual(kept.structuredContent);
    const found = await client.callTool({ name: "recall", arguments: { query: "tea" } });
    expect(textOf(found)).toContain("Tea at four");
    expect(found.structuredContent).toMatchObject({ episodes: [{ id: "ep:1" }] });
    for (const tool of (await client.listTools()).tools) expect(tool.outputSchema).toBeDefined();
  });

  it("of recall links to concepts in structured results", async () => {
    const { client, store } = await mcpClient({ structured: true });
    await store.open().execute("apply", {
      changeset: 'remember as=e "Tea at four"\nconcept as=c title="Tea has a time" from=$e "Four"',
    });
    const found = await client.callTool({ name: "recall", arguments: { query: "tea" } });
    const [, link] = found.content as { type: string; uri: string; title: string }[];
    expect(link).toMatchObject({ type: "resource_link", title: "Tea has a time" });
    const { contents } = await client.readResource({ uri: link?.uri ?? "" });
    expect(JSON.stringify(contents)).toContain("Tea at four");
  });

  it("of recall has at most 6 000 characters by default, best items first", async () => {
    const { client } = await mcpClient();
    const changeset = Array.from(
      { length: 12 },
      (_, n) => `remember "Tea at ${n} ${"o'clock sharp ".repeat(90)}"`,
    ).join("\n");
    await client.callTool({ name: "apply", arguments: { changeset: changeset } });
    const ask = async (further: object) => {
      const input = { query: "tea at 3", episode_k: 12, ...further };
      return textOf(await client.callTool({ name: "recall", arguments: input }));
    };
    const short = await ask({});
    expect(short.length).toBeLessThanOrEqual(6_000);
    expect(short).toMatch(/^ep:4 /);
    expect((await ask({ max_chars: 50_000, min_score: 0 })).length).toBeGreaterThan(12_000);
  });

  it("sets the default session", async () => {
    const { client, store } = await mcpClient({ session: "mine" });
    await client.callTool({ name: "remember", arguments: { content: "one" } });
    await client.callTool({ name: "remember", arguments: { content: "two", session: "given" } });
    await client.callTool({ name: "apply", arguments: { changeset: 'remember "three"' } });
    const { episodes } = (await store.open().execute("list_episodes", {})) as {
      episodes: { session: string }[];
    };
    expect(episodes.map((episode) => episode.session)).toEqual(["mine", "given", "mine"]);
  });

  it.each([
    ["remember", { contnet: "x" }, "invalid_input", 'Did you mean "content"?'],
    ["remember", { content: 5 }, "invalid_input", "content"],
    ["recall", { query: "x", k: "five" }, "invalid_input", "k"],
    ["delete_episode", { episode_id: "ep:9" }, "not_found", "ep:9"],
    ["apply", { changeset: "delete id=ep:9" }, "changeset_failed", ""],
  ])("of %s returns errors as text and structured content", async (name, input, code, word) => {
    const { client } = await mcpClient();
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { code } });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(textOf(result)).toContain(JSON.stringify(word).slice(1, -1));
  });

  it("of an unknown tool suggests the nearest", async () => {
    const { client } = await mcpClient();
    await expect(client.callTool({ name: "rember", arguments: {} })).rejects.toThrow(
      /^MCP error -32602: Unknown tool: there is no "rember"\. Did you mean "remember"\?$/,
    );
  });

  it("reports progress on request", async () => {
    const { client } = await mcpClient();
    const changeset = Array.from({ length: 120 }, (_, n) => `remember "note ${n}"`).join("\n");
    const told: number[] = [];
    await client.callTool({ name: "apply", arguments: { changeset } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    });
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });
});

describe("resources", () => {
  it("contain the sections of a snapshot", async () => {
    const { client } = await mcpClient();
    await client.callTool({
      name: "remember",
      arguments: { content: "Read me", entities: "file:src/a b.ts" },
    });
    for (const { uri } of (await client.listResources()).resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, mimeType: "application/json" });
    }
    for (const uri of ["memory://entity/file:src/a%20b.ts", "memory://recent/1"]) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toContain("Read me");
    }
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(2);
  });

  it.each([
    "memory://nothing",
    "memory://concept/unknown",
    "memory://recent/x",
    "memory://",
    "file:///etc/passwd",
    "memory://entity/%ZZ",
  ])("that do not exist are errors: %s", async (uri) => {
    const { client } = await mcpClient();
    await expect(client.readResource({ uri })).rejects.toThrow(/MCP error -32(002|602)/);
  });
});

describe("prompts", () => {
  it("cover common workflows", async () => {
    const { client } = await mcpClient();
    const names = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
    expect(names).toEqual(["start_session", "consolidate", "triage_conflicts"]);
    const { messages } = await client.getPrompt({
      name: "start_session",
      arguments: { task: "Fix the build" },
    });
    expect(JSON.stringify(messages)).toContain("Fix the build");
    for (const name of names) expect((await client.getPrompt({ name })).messages).toHaveLength(1);
  });

  it("reject unknown names and arguments", async () => {
    const { client } = await mcpClient();
    await expect(client.getPrompt({ name: "consolidat" })).rejects.toThrow("consolidate");
    await expect(
      client.getPrompt({ name: "start_session", arguments: { tusk: "x" } }),
    ).rejects.toThrow("task");
  });
});

describe("the instructions", () => {
  it.each(["a", "b"] as const)("of interface %s are short", async (variant) => {
    const { client } = await mcpClient({ interface: variant });
    const text = client.getInstructions() ?? "";
    expect(text).toBe(createInstructions({ interface: variant, tools: "all", structured: false }));
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThan(2_500);
  });
});
