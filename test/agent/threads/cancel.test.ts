import { afterEach, describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { createSleepCommand, liveCommands } from "../support/processes.ts";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

describe("a cancel", () => {
  it("kills a shell command with its children before the status aborted, then idle", async () => {
    const sleep = createSleepCommand();
    const command = `${sleep} & setsid ${sleep} & (trap '' TERM; ${sleep})`;
    harness = await startHarness({
      answers: [{ toolCalls: [{ name: "shell", args: { command } }] }],
    });
    let leftAtAborted: string[] | undefined;
    harness.host.subscribe((event) => {
      if (event.type === "status" && event.phase === "aborted") leftAtAborted = liveCommands(sleep);
    });
    await harness.host.send("t", "go");
    await harness.waitFor((event) => event.type === "tool.call");
    await waitUntil(() => liveCommands(sleep).length >= 4);
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(leftAtAborted).toEqual([]);
    expect(outline(harness.events).slice(-3)).toEqual(["tool.result shell", "aborted", "idle"]);

    await harness.say("what happened?");
    const messages = harness.model.requests[1]?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(messages[3]?.content).toContain("cancelled");
  });

  it("aborts a model that does not respond", async () => {
    harness = await startHarness({ answers: [{ hang: true }] });
    await harness.host.send("t", "go");
    await harness.model.waitForRequests(1);
    const before = performance.now();
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(performance.now() - before).toBeLessThan(1_500);
    await expect.poll(() => harness.model.requests[0]?.aborted).toBe(true);
    expect(outline(harness.events).slice(1)).toEqual(["running", "aborted", "idle"]);
  });

  it("keeps the partial response", async () => {
    harness = await startHarness({ answers: [{ text: ["half"], hang: "afterText" }] });
    await harness.host.send("t", "go");
    await harness.waitFor((event) => event.type === "assistant.delta");
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    await harness.say("more");
    const said = harness.model.requests[1]?.body.messages.map(({ content }) => content).slice(1);
    expect(said).toEqual(["go", "half", "more"]);
  });

  it("ends the wait before a retry", async () => {
    harness = await startHarness({ answers: [{ status: 429, headers: { "retry-after": "60" } }] });
    await harness.host.send("t", "go");
    await harness.waitForPhase("info");
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(outline(harness.events).slice(-2)).toEqual(["aborted", "idle"]);
  });

  it("runs the messages queued before it next", async () => {
    harness = await startHarness({ answers: [{ hang: true }, { text: "one" }, { text: "two" }] });
    await harness.host.send("t", "go");
    await harness.model.waitForRequests(1);
    await harness.host.send("t", "first");
    await harness.host.send("t", "/model");
    await harness.host.send("t", "second");
    await harness.host.cancel("t");
    await harness.waitForPhase("idle", 3);
    expect(outline(harness.events).slice(1)).toEqual([
      "running",
      ...["queued", "queued", "queued"],
      ...["aborted", "idle"],
      ...["running", "assistant.done", "idle"],
      "info",
      ...["running", "assistant.done", "idle"],
    ]);
    const said = harness.model.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(said?.slice(1)).toEqual(["go", "first", "one", "second"]);
    expect(harness.host.list()[0]?.queued).toBe(0);
  });

  it("keeps a message that the run was dequeuing, with its mentioned file", async () => {
    harness = await startHarness({
      answers: [{ toolCalls: [{ name: "shell", args: { command: "true" } }] }, { text: "done" }],
    });
    let taken = false;
    harness.host.subscribe((event) => {
      if (event.type !== "tool.result" || taken) return;
      taken = true;
      // The run dequeues the message before its next request; cancel exactly then.
      void harness.host.send("t", "look at @missing-file").then(async () => {
        await waitUntil(() => harness.host.list()[0]?.queued === 0);
        await harness.host.cancel("t");
      });
    });
    await harness.host.send("t", "go");
    await harness.waitFor(() => taken && harness.host.list()[0]?.isBusy === false);
    const reply = JSON.stringify(harness.model.requests.at(-1)?.body.messages);
    expect(reply.split("look at @missing-file")).toHaveLength(2);
  });

  it("drops queued messages if the client requests it, and runs later ones", async () => {
    harness = await startHarness({ answers: [{ hang: true }, { text: "new" }] });
    await harness.host.send("t", "go");
    await harness.model.waitForRequests(1);
    await harness.host.send("t", "dropped");
    await harness.host.cancel("t", { queued: "drop" });
    await harness.host.send("t", "kept");
    await harness.waitForPhase("idle", 2);
    expect(outline(harness.events).slice(1)).toEqual([
      "running",
      "queued",
      "info",
      "queued",
      "aborted",
      "idle",
      "running",
      "assistant.done",
      "idle",
    ]);
    expect(JSON.stringify(harness.model.requests[1]?.body.messages)).not.toContain("dropped");
  });

  it("reports nothing without a run, but kills background commands", async () => {
    const command = createSleepCommand();
    harness = await startHarness({
      answers: [{ toolCalls: [{ name: "shell", args: { command, background: true } }] }],
    });
    await harness.say("go");
    expect(liveCommands(command)).not.toEqual([]);
    const before = harness.events.length;
    await harness.host.cancel("t");
    await waitUntil(() => liveCommands(command).length === 0);
    expect(harness.events).toHaveLength(before);
  });

  it("at a prompt leaves the flow with aborted and idle", async () => {
    harness = await startHarness();
    await harness.host.send("t", "/plan");
    await harness.waitForPhase("prompt");
    expect(harness.host.list()[0]).toMatchObject({
      isRunning: false,
      pendingPrompt: expect.stringContaining("want to plan"),
    });
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(outline(harness.events).slice(1)).toEqual(["prompt", "aborted", "idle"]);
    expect(harness.host.list()[0]?.pendingPrompt).toBeUndefined();
    await harness.say("works");
    expect(harness.model.requests).toHaveLength(1);
  });

  it("reaches a subagent, its model and its commands", async () => {
    const command = createSleepCommand();
    harness = await startHarness({
      answers: [
        { toolCalls: [{ name: "subagent", args: { id: "helper", prompt: "help" } }] },
        { toolCalls: [{ name: "shell", args: { command } }] },
      ],
    });
    const { mkdir, writeFile } = await import("node:fs/promises");
    await mkdir(`${harness.projectRoot}/.cairn/subagents`, { recursive: true });
    await writeFile(
      `${harness.projectRoot}/.cairn/subagents/helper.md`,
      "---\nname: Helper\ndescription: helps\n---\nYou help.\n",
    );
    await harness.host.send("t", "go");
    await harness.waitFor((event) => event.type === "tool.call" && event.name === "shell");
    await waitUntil(() => liveCommands(command).length > 0);
    await harness.host.cancel("t");
    await harness.waitForPhase("idle");
    expect(liveCommands(command)).toEqual([]);
    const shell = harness.events.find(
      (event) => event.type === "tool.call" && event.name === "shell",
    );
    expect(shell).toMatchObject({ contextLabel: "[Helper]" });
    expect(harness.model.requests[1]?.body.messages[0]?.content).toContain("You help.");
  });
});
