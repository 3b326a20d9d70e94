import { afterEach, expect, it } from "vitest";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const statuses = (phase: string) =>
  harness.events.filter((event) => event.type === "status" && event.phase === phase);

it("reports tool and progress of a long call before it runs", async () => {
  const content = "x".repeat(4_000);
  harness = await startHarness({
    answers: [
      {
        toolCalls: [{ name: "write", args: { path: "a.txt", content }, pieces: 12 }],
        chunkDelayMs: 60,
      },
      { text: "Done." },
    ],
  });
  await harness.say("write it");
  const events = statuses("calling");
  expect(events.length).toBeGreaterThan(0);
  expect(events[0]).toMatchObject({ message: "write", size: expect.any(Number) });
  const call = harness.events.findIndex((event) => event.type === "tool.call");
  expect(harness.events.lastIndexOf(events.at(-1) as never)).toBeLessThan(call);
});

it("reports thinking before the text, and excludes it from the response", async () => {
  harness = await startHarness({
    answers: [{ reasoning: ["First I look, ", "then I answer."], text: "Here." }],
  });
  await harness.say("hi");
  const thoughts = statuses("thinking").map((event) => ("message" in event ? event.message : ""));
  expect(thoughts.join("")).toBe("First I look, then I answer.");
  expect(harness.events.at(-2)).toMatchObject({ type: "assistant.done", text: "Here." });
});

it("reports the last lines of a running command, and keeps its output when stopped", async () => {
  const command = "for n in 1 2 3 4 5 6 7; do echo tick $n; done; sleep 60";
  harness = await startHarness({
    answers: [{ toolCalls: [{ name: "shell", args: { command } }] }, { text: "I see." }],
  });
  await harness.host.send("t", "run it");
  const output = await harness.waitFor(
    (event) => event.type === "status" && event.phase === "output",
  );
  expect(output).toMatchObject({ message: "tick 3\ntick 4\ntick 5\ntick 6\ntick 7" });
  await harness.host.cancel("t");
  await harness.waitForPhase("idle");
  await harness.say("and?");
  const results = harness.model.requests[1]?.body.messages.filter(({ role }) => role === "tool");
  expect(JSON.stringify(results)).toMatch(/tick 1.*tick 7.*The user cancelled the run/);
});

it("shows the model's own steps as progress", async () => {
  const items = [
    { text: "Look", state: "done" },
    { text: "Change", state: "running" },
  ];
  harness = await startHarness({
    answers: [{ toolCalls: [{ name: "todo", args: { items } }] }, { text: "Going on." }],
  });
  await harness.say("do it");
  expect(statuses("info")).toMatchObject([
    {
      progress: [
        { id: "todo-1", label: "Look", state: "done" },
        { id: "todo-2", label: "Change", state: "running" },
      ],
    },
  ]);
});
