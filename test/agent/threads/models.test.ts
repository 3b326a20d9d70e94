import { afterEach, expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const usage = { input: 1_000, output: 0 };
const prices = { "model-1": { input: 2_000, output: 2_000 } };
const errors = ({ events }: Harness) =>
  events.flatMap((event) => (event.type === "error" ? [event.message] : []));

it("changes the effort of a thread with /effort", async () => {
  harness = await startHarness();
  await harness.say("one");
  await harness.host.send("t", "/effort low");
  await harness.waitForPhase("success");
  await harness.say("two");
  expect(harness.model.requests.map(({ body }) => body.reasoning_effort)).toEqual([
    undefined,
    "low",
  ]);
  await harness.host.send("t", "/effort mad");
  await harness.waitFor((event) => event.type === "error");
  expect(errors(harness)).toEqual(['"mad" is not an effort: off, low, medium, high.']);
});

it("sends no request that could exceed maxCost, and reports the cost", async () => {
  const billed = { input: 10_000, output: 0 };
  const call = { toolCalls: [{ name: "glob", args: { pattern: "*" } }], usage: billed };
  harness = await startHarness({
    answers: [call, call, { text: "never" }],
    settings: agentSettings.parse({ sandbox: false, maxCost: 2.2 }),
    llm: { model: "model-1", prices: { "model-1": { input: 100, output: 100 } } },
  });
  await harness.say("look");
  expect(harness.model.requests).toHaveLength(2);
  expect(errors(harness).join()).toContain("$2.00 of $2.2 is spent");
});

it("reports a thread's cost, and rejects a limit that it cannot enforce", async () => {
  harness = await startHarness({
    answers: [
      { text: "a", usage },
      { text: "b", usage },
    ],
    llm: { model: "model-1", prices },
  });
  await harness.say("one");
  await harness.say("two");
  const costs = harness.events.flatMap((event) =>
    event.type === "assistant.done" ? [event.usage?.cost] : [],
  );
  expect(costs).toEqual([2, 4]);
  await harness.close();
  harness = await startHarness({
    settings: agentSettings.parse({ sandbox: false, maxCost: 3 }),
    llm: { model: "unknown-1" },
  });
  await harness.say("one");
  expect(harness.model.requests).toHaveLength(0);
  expect(errors(harness).join()).toContain("no price is known for unknown-1");
});
