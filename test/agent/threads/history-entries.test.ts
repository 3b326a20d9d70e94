import { afterEach, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

it("contain the target of each call, and mark rejected or failed ones", async () => {
  const permission = { rules: [{ tool: "shell", pattern: "rm *", action: "deny" as const }] };
  const settings = agentSettings.parse({ sandbox: false, permission: { ...permission } });
  const content = "x".repeat(5_000);
  harness = await startHarness({
    settings: { ...settings, permission: { ...settings.permission, mode: "auto" } },
    answers: [
      {
        toolCalls: [
          { name: "shell", args: { command: "rm -rf everything" } },
          { name: "read", args: { path: "nowhere.txt" } },
          { name: "write", args: { path: "new.txt", content } },
        ],
      },
      { text: "done" },
    ],
  });
  await harness.say("go");
  const copy = await harness.host.fork("t");
  for (const threadId of ["t", copy.threadId]) {
    const entries = (await harness.host.history?.(threadId)) ?? [];
    const [, shell, read, write, answer] = entries;
    expect(shell).toMatchObject({ text: "shell", args: { command: "rm -rf everything" } });
    expect(shell?.failure).toBeTypeOf("string");
    expect(read).toMatchObject({ text: "read", failure: expect.stringContaining("nowhere.txt") });
    expect(write).toEqual({
      ...{ role: "tool", text: "write" },
      args: { path: "new.txt", content: expect.stringMatching(/^x{1000}$/) },
    });
    expect(answer).toEqual({ role: "assistant", text: "done" });
  }
});
