import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

describe("a run", () => {
  it("goes from running over deltas and done to one idle, numbered without a gap", async () => {
    harness = await startHarness({ answers: [{ text: ["Hel", "lo"] }] });
    await harness.say("hi");
    expect(outline(harness.events)).toEqual([
      "thread.created",
      "running",
      "assistant.done",
      "idle",
    ]);
    expect(harness.events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const deltas = harness.events.flatMap((event) =>
      event.type === "assistant.delta" ? [event.text] : [],
    );
    expect(deltas).toEqual(["Hel", "lo"]);
    expect(harness.events.at(-2)).toMatchObject({ type: "assistant.done", text: "Hello" });
    expect(new Set(harness.events.slice(1).map((event) => event.runId)).size).toBe(1);
  });

  it("sends the system prompt, the history and the tools", async () => {
    harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }] });
    await harness.say("first");
    await harness.say("second");
    const body = harness.model.requests[1]?.body;
    expect(body?.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual([
      "read",
      "skim",
      "filegrep",
      "glob",
      "grep",
      "web_fetch",
      "write",
      "edit",
      "shell",
      "shell_status",
      "todo",
      "subagent",
      "ask_user",
    ]);
  });

  it("offers no tools with an empty list", async () => {
    harness = await startHarness({ settings: { tools: [] } });
    await harness.say("hi");
    expect(harness.model.requests[0]?.body.tools ?? []).toEqual([]);
  });

  it("changes a file and hands the results back in call order", async () => {
    harness = await startHarness({
      settings: { parallelToolCalls: 4 },
      answers: [
        {
          toolCalls: [
            { id: "slow", name: "shell", args: { command: "sleep 0.3; echo slow" } },
            { id: "quick", name: "write", args: { path: "a.txt", content: "x\n" } },
          ],
        },
        { text: "done" },
      ],
    });
    await harness.say("go");
    expect(await readFile(join(harness.projectRoot, "a.txt"), "utf8")).toBe("x\n");
    const results = harness.model.requests[1]?.body.messages.filter(({ role }) => role === "tool");
    expect(results?.map((message) => message.tool_call_id)).toEqual(["slow", "quick"]);
    const finished = harness.events.flatMap((event) =>
      event.type === "tool.result" ? [event.callId] : [],
    );
    expect(finished).toEqual(["quick", "slow"]);
    const diff = harness.events.find((event) => event.type === "tool.result" && event.hasDiff);
    expect(diff).toMatchObject({ name: "write", diff: expect.stringContaining("+x") });
  });

  it("runs reads concurrently and writes in order by default", async () => {
    harness = await startHarness({
      answers: [
        {
          toolCalls: [
            { id: "read1", name: "read", args: { path: "a.txt" } },
            { id: "read2", name: "glob", args: { pattern: "*.txt" } },
            { id: "write", name: "write", args: { path: "b.txt", content: "b\n" } },
            { id: "read3", name: "read", args: { path: "b.txt" } },
          ],
        },
        { text: "done" },
      ],
    });
    await writeFile(join(harness.projectRoot, "a.txt"), "a\n");
    await harness.say("go");
    const order = harness.events.flatMap((event) =>
      event.type === "tool.call" || event.type === "tool.result"
        ? [`${event.callId} ${event.type === "tool.call" ? "begins" : "ends"}`]
        : [],
    );
    expect(order.slice(0, 2)).toEqual(["read1 begins", "read2 begins"]);
    expect(order.slice(4)).toEqual(["write begins", "write ends", "read3 begins", "read3 ends"]);
    const results = harness.model.requests[1]?.body.messages.filter(({ role }) => role === "tool");
    expect(results?.map((message) => message.tool_call_id)).toEqual([
      ...["read1", "read2", "write", "read3"],
    ]);
    expect(results?.at(-1)?.content).toContain("b");
  });

  it("returns error results for unknown tools and unreadable arguments", async () => {
    harness = await startHarness({
      answers: [
        {
          toolCalls: [
            { id: "a", name: "raed", args: {} },
            { id: "b", name: "read", args: '{"path": "a' },
            { id: "c", name: "read", args: { file: "a" } },
            { id: "d", name: "read", args: "[1, 2]" },
          ],
        },
        { text: "sorry" },
      ],
    });
    await harness.say("go");
    const messages = harness.model.requests[1]?.body.messages ?? [];
    const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results[0]).toContain('Did you mean "read"');
    expect(results[1]).toContain("not valid JSON");
    expect(results[2]).toMatch(/path: .*expected string.*Unrecognized key.*"file"/s);
    expect(results[3]).toContain("must be a JSON object");
    const sent = messages.find(({ tool_calls }) => tool_calls !== undefined)?.tool_calls ?? [];
    for (const call of sent) {
      expect(typeof JSON.parse(call.function.arguments)).toBe("object");
      expect(Array.isArray(JSON.parse(call.function.arguments))).toBe(false);
    }
    expect(harness.events.filter((event) => event.type === "error")).toEqual([]);
  });

  it("ends with an error after maxSteps model requests", async () => {
    harness = await startHarness({ settings: { maxSteps: 3 } });
    let step = 0;
    harness.model.respond(() => {
      step += 1;
      return { toolCalls: [{ name: "shell", args: { command: `echo ${step}` } }] };
    });
    await harness.say("go");
    expect(harness.model.requests).toHaveLength(3);
    expect(harness.events.find((event) => event.type === "error")).toMatchObject({
      message: expect.stringContaining("maxSteps"),
    });
    expect(outline(harness.events).at(-1)).toBe("idle");
  });

  it("stops after three identical calls with identical results", async () => {
    harness = await startHarness();
    await writeFile(join(harness.projectRoot, "a.txt"), "same\n");
    harness.model.respond(() => ({ toolCalls: [{ name: "read", args: { path: "a.txt" } }] }));
    await harness.say("go");
    expect(harness.model.requests).toHaveLength(3);
    expect(harness.events.find((event) => event.type === "error")).toMatchObject({
      message: expect.stringContaining("repeats the same calls (read)"),
    });
    harness.model.respond(() => ({ text: "fine" }));
    await harness.say("again");
    expect(harness.events.at(-2)).toMatchObject({ type: "assistant.done", text: "fine" });
  });

  it("stops after three identical outputs of a command, whatever their duration", async () => {
    harness = await startHarness();
    const command = "test -e seen || { touch seen; sleep 0.3; }; echo same";
    harness.model.respond(({ index }) =>
      index < 3 ? { toolCalls: [{ name: "shell", args: { command } }] } : { text: "fine" },
    );
    await harness.say("go");
    expect(harness.events.find((event) => event.type === "error")).toMatchObject({
      message: expect.stringContaining("repeats the same calls (shell)"),
    });
  });

  it("adds queued messages at the next step, or else to the next run", async () => {
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "shell", args: { command: "sleep 0.3" } }] },
        { text: ["a", "b"], chunkDelayMs: 200 },
        { text: "c" },
      ],
    });
    await harness.host.send("t", "go");
    await harness.waitFor((event) => event.type === "tool.call");
    await harness.host.send("t", "and this");
    await harness.waitFor((event) => event.type === "assistant.delta" && event.text === "a");
    await harness.host.send("t", "and that");
    await harness.waitForPhase("idle", 2);
    expect(outline(harness.events)).toEqual([
      "thread.created",
      "running",
      "tool.call shell",
      "queued",
      "tool.result shell",
      "interjection",
      "queued",
      "assistant.done",
      "idle",
      "running",
      "assistant.done",
      "idle",
    ]);
    const last = (index: number) => harness.model.requests[index]?.body.messages.at(-1)?.content;
    expect(last(1)).toBe("and this");
    expect(last(2)).toBe("and that");
  });

  it("runs a slash command that was sent during a run after that run", async () => {
    harness = await startHarness({ answers: [{ text: ["a", "b"], chunkDelayMs: 200 }] });
    await harness.host.send("t", "go");
    await harness.waitForPhase("running");
    await harness.host.send("t", "/model other");
    await harness.waitForPhase("success");
    expect(outline(harness.events).slice(1)).toEqual([
      "running",
      "queued",
      "assistant.done",
      "idle",
      "success",
    ]);
    await harness.say("hi");
    expect(harness.model.requests.at(-1)?.body.model).toBe("other");
  });

  it("refuses more than the settings' number of queued messages", async () => {
    harness = await startHarness({ answers: [{ hang: true }], limits: { queuedMessages: 2 } });
    await harness.host.send("t", "go");
    await harness.host.send("t", "1");
    await harness.host.send("t", "2");
    await expect(harness.host.send("t", "3")).rejects.toMatchObject({ code: "too_large" });
    expect(harness.host.list()[0]?.queued).toBe(2);
  });

  it("ignores empty messages", async () => {
    harness = await startHarness();
    await harness.host.send("t", " \n\t");
    expect(harness.host.list()[0]?.isBusy).toBe(false);
    expect(harness.events).toHaveLength(1);
    expect(harness.model.requests).toHaveLength(0);
  });

  it("runs stop hooks before idle and reports a failure as info", async () => {
    const stop = [{ shell: "echo $CAIRN_HOOK > hook.txt; exit 3" }];
    harness = await startHarness({ settings: { hooks: { stop, taskDone: [], planDone: [] } } });
    await harness.say("hi");
    expect(await readFile(join(harness.projectRoot, "hook.txt"), "utf8")).toBe("stop\n");
    expect(outline(harness.events).slice(1)).toEqual(["running", "assistant.done", "info", "idle"]);
  });

  it("continues from a summary when the context window is nearly full", async () => {
    harness = await startHarness({
      llm: { contextWindow: 1024 },
      answers: [
        {
          toolCalls: [{ name: "shell", args: { command: "echo 1" } }],
          usage: { input: 900, output: 50 },
        },
        { text: "SUMMARY" },
        { text: "finished" },
      ],
    });
    await harness.say("the task");
    expect(outline(harness.events).slice(1)).toEqual([
      "running",
      "tool.call shell",
      "tool.result shell",
      "handover",
      "assistant.done",
      "idle",
    ]);
    const messages = harness.model.requests[2]?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[1]?.content).toContain("SUMMARY");
    expect(harness.host.list()[0]?.messageCount).toBe(2);
  });

  it("keeps the history if the summary is cancelled", async () => {
    harness = await startHarness({ answers: [{ text: "one" }, { hang: true }, { text: "two" }] });
    await harness.say("first");
    await harness.host.send("t", "/handover");
    await harness.model.waitForRequests(2);
    await harness.host.cancel("t");
    await harness.waitForPhase("idle", 2);
    await harness.say("second");
    const said = harness.model.requests[2]?.body.messages.map(({ content }) => content).slice(1);
    expect(said).toEqual(["first", "one", "second"]);
  });
});
