import { afterEach, expect, it } from "vitest";
import type { ScriptedAnswer } from "../../support/scripted-model.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
let test: TestMemory;
afterEach(async () => {
  await harness.close();
  await test[Symbol.asyncDispose]();
});

const remember = (content: string): ScriptedAnswer => ({
  toolCalls: [{ name: "remember", args: { content } }],
});

async function begin(...answers: ScriptedAnswer[]): Promise<void> {
  test = createTestMemory();
  harness = await startHarness({ answers, memory: test.memory });
}

/** Sends a command and returns its status and error messages. */
async function command(text: string): Promise<string[]> {
  const seen = harness.events.length;
  await harness.host.send("t", text);
  await harness.waitFor(
    (event) =>
      harness.events.indexOf(event) >= seen &&
      (event.type === "error" || (event.type === "status" && event.phase === "success")),
  );
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
  return harness.events.slice(seen).flatMap((event) => {
    if (event.type === "error") return [`error: ${event.message}`];
    const isSaid = event.type === "status" && /^(?:success|info)$/.test(event.phase);
    return isSaid ? [event.message ?? ""] : [];
  });
}

async function contents(): Promise<string[]> {
  const { episodes } = await test.call("list_episodes");
  return episodes.map(({ content }: { content: string }) => content);
}

it("reverts the turn's memories only, and restores them by redo", async () => {
  await begin(remember("first"), { text: "a" }, remember("second"), remember("third"), {
    text: "b",
  });
  await harness.say("one");
  await test.call("remember", { content: "from elsewhere" });
  await harness.say("two");
  expect((await harness.host.turns("t")).map(({ remembered }) => remembered)).toEqual([1, 2]);
  expect(await command("/undo")).toEqual([
    expect.stringMatching(/^Undid "two".*2 writes to memory/),
  ]);
  expect(await contents()).toEqual(["from elsewhere", "first"]);
  const { changes } = await test.call("changes", { limit: 1 });
  expect(changes).toMatchObject([{ operation: "undo", surface: "agent", session: "t" }]);
  expect(await command("/redo")).toEqual([expect.stringContaining("2 writes to memory")]);
  expect(await contents()).toEqual(["third", "second", "from elsewhere", "first"]);
});

it("reverts several turns with manual memories in between", async () => {
  await begin(remember("first"), { text: "a" }, remember("second"), { text: "b" });
  await harness.say("one");
  await command("/remember by hand");
  await harness.say("two");
  const [turn] = await harness.host.turns("t");
  await harness.host.undo("t", { turnId: turn?.turnId ?? "" });
  await harness.waitFor(
    (event) => event.type === "status" && (event.message ?? "").includes("3 writes to memory"),
  );
  expect(await contents()).toEqual([]);
});

it("keeps memories with dependents, reports them, and reverts the rest", async () => {
  await begin(remember("first"), { text: "a" });
  await harness.say("one");
  await test.call("update_episode", { episode_id: "ep:1", content: "first, mended" });
  const replies = await command("/undo");
  expect(replies).toEqual([
    expect.stringMatching(/^Undid "one"/),
    expect.stringMatching(/^Memory stays unchanged: .*change:2/),
  ]);
  expect(replies[0]).not.toContain("writes to memory");
  expect(await contents()).toEqual(["first, mended"]);
});

it("skips reverted memories; file-only and conversation-only undo keep memory", async () => {
  await begin(remember("first"), { text: "a" }, remember("second"), { text: "b" });
  await harness.say("one");
  await test.call("undo", { change: "change:1" });
  expect(await command("/undo")).toEqual([expect.not.stringContaining("memory")]);
  await harness.say("two");
  await command("/undo conversation");
  expect(await contents()).toEqual(["second"]);
});
