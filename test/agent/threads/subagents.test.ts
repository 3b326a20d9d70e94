import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

async function addSubagent(id: string, name: string): Promise<void> {
  const folder = join(harness.projectRoot, ".cairn/subagents");
  await mkdir(folder, { recursive: true });
  const text = `---\nname: ${name}\ndescription: does ${id}\n---\nYou are the ${id}.\n`;
  await writeFile(join(folder, `${id}.md`), text);
}

const toolsOf = (index: number) =>
  harness.model.requests[index]?.body.tools?.map((tool) => tool.function.name);

describe("a subagent", () => {
  it("has a separate history and prompt; its last text is the result", async () => {
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "subagent", args: { id: "reviewer", prompt: "look at a.ts" } }] },
        { text: ["looks ", "good"] },
        { text: "the reviewer is happy" },
      ],
    });
    await addSubagent("reviewer", "Reviewer");
    await harness.say("get a review");
    const messages = harness.model.requests[1]?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[1]?.content).toBe("look at a.ts");
    expect(String(messages[0]?.content).startsWith("You are the reviewer.")).toBe(true);
    expect(harness.model.requests[2]?.body.messages.at(-1)?.content).toBe("looks good");
    const labelled = harness.events.flatMap((event) =>
      "contextLabel" in event ? [`${event.type} ${event.contextLabel}`] : [],
    );
    expect(labelled).toEqual([
      "assistant.delta [Reviewer]",
      "assistant.delta [Reviewer]",
      "assistant.done [Reviewer]",
    ]);
    expect(harness.host.list()[0]?.messageCount).toBe(4);
  });

  it("reports start, end and cost, also when nested", async () => {
    const handOn = { toolCalls: [{ name: "subagent", args: { id: "deep", prompt: "go on" } }] };
    harness = await startHarness({
      settings: agentSettings.parse({
        sandbox: false,
        subagent: { allowNestedSubagents: true },
      }),
      llm: { model: "scripted", prices: { scripted: { input: 1, output: 2 } } },
      answers: [
        handOn,
        { ...handOn, usage: { input: 100, output: 10 } },
        { text: "deepest", usage: { input: 30, output: 5 } },
        { text: "middle", usage: { input: 200, output: 20 } },
        { text: "top" },
      ],
    });
    await addSubagent("deep", "Deep");
    await harness.say("go");
    const news = harness.events.flatMap((event) =>
      event.type === "status" && event.subagent !== undefined ? [event.subagent] : [],
    );
    const [outer, inner, innerEnd, outerEnd] = news;
    const call = harness.events.find((event) => event.type === "tool.call");
    expect(outer).toMatchObject({ label: "[Deep]", name: "Deep", task: "go on", state: "running" });
    expect(call).toMatchObject({ callId: outer?.callId });
    expect(outer?.parent).toBeUndefined();
    expect(inner).toMatchObject({ parent: outer?.id, label: "[Deep 2]" });
    expect(innerEnd).toMatchObject({
      id: inner?.id,
      state: "done",
      spent: { inputTokens: 30, outputTokens: 5 },
    });
    expect(outerEnd).toMatchObject({
      id: outer?.id,
      state: "done",
      spent: { inputTokens: 330, outputTokens: 35 },
    });
    expect(outerEnd?.spent?.cost).toBeCloseTo(0.0004);
    const said = harness.events.flatMap((event) =>
      event.type === "assistant.done" ? [[event.text, event.subagentId]] : [],
    );
    expect(said).toContainEqual(["deepest", inner?.id]);
    expect(said).toContainEqual(["middle", outer?.id]);
    expect(said).toContainEqual(["top", undefined]);
  });

  it("reports failure or cancellation", async () => {
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "subagent", args: { id: "reviewer", prompt: "look" } }] },
        { text: ["Hm"], hang: "afterText" },
      ],
    });
    await addSubagent("reviewer", "Reviewer");
    await harness.host.send("t", "get a review");
    await harness.waitFor((event) => event.type === "assistant.delta");
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    const states = harness.events.flatMap((event) =>
      event.type === "status" && event.subagent !== undefined ? [event.subagent.state] : [],
    );
    expect(states).toEqual(["running", "stopped"]);
  });

  it("cannot hand work on, unless the settings allow it, and then only so deep", async () => {
    const delegate = { toolCalls: [{ name: "subagent", args: { id: "deep", prompt: "go on" } }] };
    harness = await startHarness({
      settings: agentSettings.parse({
        sandbox: false,
        subagent: { allowNestedSubagents: true },
      }),
      answers: [delegate, delegate, { text: "deepest" }, { text: "middle" }, { text: "top" }],
    });
    await addSubagent("deep", "Deep");
    await harness.say("go");
    expect(toolsOf(0)).toContain("subagent");
    expect(toolsOf(1)).toContain("subagent");
    expect(toolsOf(2)).not.toContain("subagent");
  });

  it("without nesting is not offered the tool", async () => {
    harness = await startHarness({
      answers: [{ toolCalls: [{ name: "subagent", args: { id: "DEEP", prompt: "x" } }] }],
    });
    await addSubagent("deep", "Deep");
    await harness.say("go");
    expect(toolsOf(1)).not.toContain("subagent");
  });

  it("returns an error result if unknown or failed, and the run continues", async () => {
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "subagent", args: { id: "reviewr", prompt: "x" } }] },
        { toolCalls: [{ name: "subagent", args: { id: "reviewer", prompt: "x" } }] },
        { status: 401 },
        { text: "without it, then" },
      ],
    });
    await addSubagent("reviewer", "Reviewer");
    await harness.say("go");
    expect(harness.model.requests[1]?.body.messages.at(-1)?.content).toContain(
      'Did you mean "reviewer"',
    );
    expect(harness.model.requests[3]?.body.messages.at(-1)?.content).toContain("answered 401");
    expect(harness.events.filter((event) => event.type === "error")).toEqual([]);
  });
});
