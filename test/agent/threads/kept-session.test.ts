import { expect, it } from "vitest";
import type { AgentEventBody } from "../../../src/agent/ports/events.ts";
import { StoredSession } from "../../../src/agent/threads/thread-memory.ts";
import { openMemory } from "../../../src/index.ts";
import type { ModelMessage } from "../../../src/llm/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";

const SAID: readonly ModelMessage[] = [
  { role: "user", content: "The retrier may make seven attempts, eight trips the limit." },
  {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "t1", toolName: "write", input: { path: "src/retry.ts" } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "t1",
        toolName: "write",
        output: { type: "text", value: "written, with all of its text" },
      },
    ],
  },
  { role: "assistant", content: "Settled: seven attempts, in src/retry.ts." },
];

it("stores the messages of a turn and a summary of its actions", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  const session = new StoredSession({
    memory,
    threadId: () => "thread-1",
    projectRoot: "/work/shop",
    logger: silentLogger,
    emit: () => undefined,
    accepts: true,
  });
  await session.store(SAID, "2026-03-01T09:00:00.000Z");
  const { sources } = await memory.list_sources();
  expect(sources).toMatchObject([{ kind: "cairn", key: "thread-1", passages: 3 }]);
  const { passages } = await memory.get_source({ source_id: "source:1" });
  expect(passages.map(({ by, role, text }) => [by, role, text])).toEqual([
    ["user", "turn", "The retrier may make seven attempts, eight trips the limit."],
    ["assistant", "tool", "Changed src/retry.ts."],
    ["assistant", "turn", "Settled: seven attempts, in src/retry.ts."],
  ]);
});

it("stores nothing if disabled", async () => {
  const session = new StoredSession({
    memory: undefined,
    threadId: () => "thread-1",
    projectRoot: "/work/shop",
    logger: silentLogger,
    emit: () => undefined,
    accepts: true,
  });
  await expect(session.store(SAID, "2026-03-01T09:00:00.000Z")).resolves.toBeUndefined();
});

const TAUGHT: readonly ModelMessage[] = [
  { role: "user", content: "Fix the build. From now on, run the linter before each commit." },
  { role: "assistant", content: "Done." },
];

it.each([true, false])(
  "stores or proposes what a finished session taught (accepts: %s)",
  async (accepts) => {
    await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
    const events: AgentEventBody[] = [];
    const session = new StoredSession({
      ...{ memory, threadId: () => "thread-1", projectRoot: "/work/shop", logger: silentLogger },
      ...{ emit: (event: AgentEventBody) => events.push(event), accepts },
    });
    await session.learn();
    await session.store(TAUGHT, "2026-03-01T09:00:00.000Z");
    await session.learn();
    await session.learn();
    const content = "From now on, run the linter before each commit.";
    const { episodes } = await memory.list_episodes();
    const { proposals } = await memory.list_proposals();
    const held = { content, episode_type: "preference", source_ref: "passage:1" };
    expect(episodes).toMatchObject(accepts ? [held] : []);
    expect(proposals).toMatchObject(accepts ? [] : [{ content }]);
    const message = `◆ learned: ${content} \`cairn undo change:2\` reverts it.`;
    expect(events).toMatchObject(accepts ? [{ phase: "learned", message }] : []);
    if (!accepts) return;
    await memory.undo({ change: "change:2" });
    await session.store(TAUGHT.slice(1), "2026-03-01T09:10:00.000Z");
    await session.learn();
    expect((await memory.list_episodes()).episodes).toEqual([]);
  },
);
