import { afterEach, describe, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import type { ScriptedAnswer } from "../../support/scripted-model.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const asking = (args: object): ScriptedAnswer => ({ toolCalls: [{ name: "ask_user", args }] });
const WHICH = { question: "Which store?", choices: ["Postgres", "SQLite"] };
const answers = [asking(WHICH), { text: "so be it" }];

const toolResult = (request = 1) => harness.model.requests[request]?.body.messages.at(-1)?.content;

describe("a question of the model in the middle of a turn", () => {
  it("is a prompt with choices; a key or other text answers it", async () => {
    harness = await startHarness({ answers: [...answers, ...answers] });
    for (const [reply, told] of [
      ["2", "SQLite"],
      ["DuckDB", "DuckDB"],
    ] as const) {
      const before = harness.model.requests.length;
      const prompts = harness.events.filter(isPrompt).length;
      await harness.host.send("t", "store it");
      await harness.waitForPhase("prompt", prompts + 1);
      expect(harness.host.find("t")).toMatchObject({ isRunning: false, isBusy: true });
      const idle = harness.events.filter(isIdle).length;
      await harness.host.send("t", reply);
      await harness.waitForPhase("idle", idle + 1);
      expect(toolResult(before + 1)).toBe(told);
    }
    expect(harness.events.filter(isPrompt)[0]).toMatchObject({
      message: "Which store?\n[1] Postgres, [2] SQLite",
      choices: [
        { key: "1", label: "Postgres" },
        { key: "2", label: "SQLite" },
      ],
    });
  });

  it("fails with an alternative if no user can be prompted, and the run continues", async () => {
    harness = await startHarness({ answers, isUnattended: true });
    await harness.say("store it");
    expect(toolResult()).toMatch(/^No user is available to answer\. Choose the safest option/);
    expect(harness.events.filter(isPrompt)).toEqual([]);
    expect(harness.events).toContainEqual(expect.objectContaining({ text: "so be it" }));
  });

  it("is queued after an earlier prompt", async () => {
    const both = [WHICH, { question: "Since when?" }].map((args) => ({ name: "ask_user", args }));
    harness = await startHarness({
      settings: agentSettings.parse({ sandbox: false, parallelToolCalls: 4 }),
      answers: [{ toolCalls: both }, { text: "done" }],
    });
    await harness.host.send("t", "go");
    await harness.waitForPhase("prompt");
    expect(harness.events.filter(isPrompt)).toHaveLength(1);
    await harness.host.send("t", "1");
    await harness.waitForPhase("prompt", 2);
    await harness.host.send("t", "May");
    await harness.waitForPhase("idle");
    const results = harness.model.requests[1]?.body.messages.slice(-2);
    expect(results?.map(({ content }) => content)).toEqual(["Postgres", "May"]);
  });

  it("ends with the run that is cancelled", async () => {
    harness = await startHarness({ answers });
    await harness.host.send("t", "store it");
    await harness.waitForPhase("prompt");
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(harness.host.find("t").pendingPrompt).toBeUndefined();
  });

  it("is unavailable if the settings exclude the tool", async () => {
    const settings = agentSettings.parse({ sandbox: false, tools: ["read"] });
    harness = await startHarness({ settings, answers: [{ text: "ok" }] });
    await harness.say("hello");
    const tools = harness.model.requests[0]?.body.tools?.map((tool) => tool.function.name);
    expect(tools).toEqual(["read"]);
  });
});

function isPrompt(event: Harness["events"][number]): boolean {
  return event.type === "status" && event.phase === "prompt";
}

function isIdle(event: Harness["events"][number]): boolean {
  return event.type === "status" && event.phase === "idle";
}
