import { expect, it } from "vitest";
import { KeptSession } from "../../../src/agent/threads/kept-session.ts";
import { openMemory } from "../../../src/index.ts";
import { silentLogger } from "../../../src/kernel/logger.ts";
import type { ModelMessage } from "../../../src/llm/index.ts";

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

it("keeps what was said in a turn, and in brief what was done", async () => {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  const kept = new KeptSession({
    memory,
    threadId: () => "thread-1",
    projectRoot: "/work/shop",
    logger: silentLogger,
  });
  await kept.keep(SAID, "2026-03-01T09:00:00.000Z");
  const { sources } = await memory.list_sources();
  expect(sources).toMatchObject([{ kind: "cairn", key: "thread-1", passages: 3 }]);
  const { passages } = await memory.get_source({ source_id: "source:1" });
  expect(passages.map(({ by, role, text }) => [by, role, text])).toEqual([
    ["user", "turn", "The retrier may make seven attempts, eight trips the limit."],
    ["assistant", "tool", "Changed src/retry.ts."],
    ["assistant", "turn", "Settled: seven attempts, in src/retry.ts."],
  ]);
});

it("keeps nothing where that is off", async () => {
  const kept = new KeptSession({
    memory: undefined,
    threadId: () => "thread-1",
    projectRoot: "/work/shop",
    logger: silentLogger,
  });
  await expect(kept.keep(SAID, "2026-03-01T09:00:00.000Z")).resolves.toBeUndefined();
});
