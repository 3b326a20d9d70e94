import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { startHarness } from "../support/thread-harness.ts";

const SERVER = join(import.meta.dirname, "..", "support", "odd-mcp-server.mjs");
const text = (value: unknown) => ({ type: "text", text: value });
const ANSWERS = {
  unknown_block: { content: [text("first"), { type: "video", url: "x" }, text("last")] },
  null_data: { content: [text("first"), { type: "image", data: null }] },
  null_content: { content: null },
  text_content: { content: "only text" },
  old_form: { toolResult: "old form" },
  text_blocks: { content: ["a", "b"] },
};

async function start(end: string, names: readonly string[]) {
  const rules = [{ tool: "mcp__odd__*", action: "allow" }];
  const odd = { command: process.execPath, args: [SERVER, JSON.stringify(ANSWERS), end] };
  const harness = await startHarness({
    answers: [
      ...names.map((name) => ({ toolCalls: [{ name: `mcp__odd__${name}`, args: {} }] })),
      { text: "done" },
    ],
    settings: agentSettings.parse({
      ...{ sandbox: false, permission: { rules }, mcpServers: { odd } },
    }),
  });
  onTestFinished(() => harness.close());
  return harness;
}

it("returns what it can read of a tool's answer", async () => {
  const harness = await start("", Object.keys(ANSWERS));
  await vi.waitFor(
    () => expect(harness.host.mcpServers.list()[0]).toMatchObject({ state: "ready" }),
    { timeout: 30_000 },
  );
  await harness.say("go");
  const results = harness.model.requests
    .at(-1)
    ?.body.messages.filter(({ role }) => role === "tool");
  const contents = results?.map(({ content }) => String(content).split("\n").slice(1, -1));
  expect(contents).toEqual([
    ["first", "[video: not supported]", "last"],
    ["first", "[image: not supported]"],
    ["(no result)"],
    ["only text"],
    ["old form"],
    ["a", "b"],
  ]);
});

it.each(["", "same"])('ends a list at the repeated cursor "%s"', async (end) => {
  const { host } = await start(end, []);
  await vi.waitFor(() => expect(host.mcpServers.list()[0]).toMatchObject({ state: "ready" }), {
    timeout: 30_000,
  });
  expect(host.mcpServers.list()[0]?.tools).toHaveLength(
    Object.keys(ANSWERS).length * (end ? 2 : 1),
  );
});

it("reports a server that is not available once", async () => {
  const missing = { command: join(import.meta.dirname, "no-such-program") };
  const harness = await startHarness({
    answers: [{ text: "one" }, { text: "two" }],
    settings: agentSettings.parse({ sandbox: false, mcpServers: { missing } }),
  });
  onTestFinished(() => harness.close());
  await harness.say("go");
  await harness.say("go");
  const reports = harness.events.filter(
    (event) =>
      event.type === "status" && /"missing" is not available: .+/.test(event.message ?? ""),
  );
  expect(reports).toHaveLength(1);
});
