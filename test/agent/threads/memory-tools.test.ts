import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteDatabase } from "../../../src/database/index.ts";
import { createOperations, type Memory, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let folder: string;
let memory: Memory;
let harness: Harness | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-memory-tools-"));
  memory = openMemory({
    name: "default",
    database: new SqliteDatabase({ path: join(folder, "default.db") }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    readsAsEmpty: true,
  });
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await memory.close();
  await rm(folder, { recursive: true, force: true });
});

const offered = (index = 0) =>
  harness?.model.requests[index]?.body.tools?.map((tool) => tool.function.name) ?? [];
const resultsOf = (index: number) =>
  harness?.model.requests[index]?.body.messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content)) ?? [];

describe("the agent's memory tools", () => {
  it("let one thread recall what another learned", async () => {
    harness = await startHarness({
      memory,
      answers: [
        {
          toolCalls: [
            {
              name: "remember",
              args: { content: "The staging server is called heron.", entities: "tool:staging" },
            },
          ],
        },
        { text: "noted" },
        { toolCalls: [{ name: "recall", args: { query: "staging server" } }] },
        { text: "heron" },
      ],
    });
    await harness.say("remember the staging server");
    expect(resultsOf(1)[0]).toContain('"id": "ep:1"');
    const quiet = harness.events.find((event) => event.type === "tool.result");
    expect(quiet).toMatchObject({ summary: expect.stringContaining("Remembered ep:1") });

    await harness.host.create({ threadId: "second" });
    await harness.say("where is staging?", "second");
    expect(resultsOf(3)[0]).toContain("heron");
    const episode = await memory.execute("recall", { query: "heron" });
    expect(JSON.stringify(episode)).toContain("heron");
  });

  it("return the engine's message for invalid input", async () => {
    harness = await startHarness({
      memory,
      answers: [
        {
          toolCalls: [
            { name: "remember", args: { contents: "x" } },
            { name: "recall", args: { query: "x", k: "five" } },
            { name: "memory_apply", args: { changeset: "nonsense here" } },
            { name: "memory_snapshot", args: { scopes: ["stats"] } },
          ],
        },
        { text: "ok" },
      ],
    });
    await harness.say("go");
    const [remembered, recalled, applied, snapshot] = resultsOf(1);
    expect(remembered).toContain('"content"');
    expect(recalled).toContain("k");
    expect(applied).toContain("nonsense");
    expect(JSON.parse(snapshot ?? "{}")).toHaveProperty("stats");
    const failed = harness.events.flatMap((event) =>
      event.type === "tool.result" ? [event.isError === true] : [],
    );
    expect(failed).toEqual([true, true, true, false]);
  });

  it.each([
    ["on", ["recall", "memory_snapshot", "remember", "memory_apply"]],
    ["read", ["recall", "memory_snapshot"]],
    ["off", []],
  ] as const)("with memory %s are %j", async (mode, expected) => {
    harness = await startHarness({ memory, settings: { memory: mode } });
    await harness.say("hi");
    const names = ["recall", "memory_snapshot", "remember", "memory_apply"];
    expect(offered().filter((name) => names.includes(name))).toEqual(expected);
  });
});
