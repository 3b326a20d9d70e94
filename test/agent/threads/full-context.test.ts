import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { ScriptedRequest } from "../../support/scripted-model.ts";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const errors = () =>
  harness.events.flatMap((event) => (event.type === "error" ? [event.message] : []));
const isSummary = ({ body }: ScriptedRequest) => JSON.stringify(body).includes("Write a handover");

/** A server with a context window of `tokens` that reports no token usage. */
function windowOf(tokens: number) {
  harness.model.respond((request) => {
    if (JSON.stringify(request.body.messages).length / 4 > tokens) {
      const errorMessage = `This model's maximum context length is ${tokens} tokens.`;
      return { status: 400, errorMessage };
    }
    const last = request.body.messages.at(-1);
    if (isSummary(request)) return { text: "SUMMARY", usage: { input: 0, output: 0 } };
    const text = String(last?.content).slice(0, 20);
    return { text: `re: ${text}`, usage: { input: 0, output: 0 } };
  });
}

it("compacts and continues when the provider reports a full context", async () => {
  harness = await startHarness();
  windowOf(12_000);
  for (const word of ["one", "two", "three", "four"]) {
    await harness.say(`${word} ${"lorem ipsum ".repeat(1_200)}`);
  }
  expect(errors()).toEqual([]);
  await harness.say("last");
  expect(harness.events).toContainEqual(expect.objectContaining({ text: "re: last" }));
});

it("compacts before the window is full, without token counts", async () => {
  harness = await startHarness({ llm: { contextWindow: 32_000 } });
  windowOf(32_000);
  for (let index = 0; index < 8; index += 1) {
    await harness.say(`${index} ${"lorem ipsum ".repeat(1_500)}`);
  }
  expect(errors()).toEqual([]);
  expect(harness.model.requests.some(isSummary)).toBe(true);
});

it("accepts two large results in one step", async () => {
  harness = await startHarness({ llm: { contextWindow: 32_000 } });
  for (const name of ["a", "b", "c"]) {
    await writeFile(join(harness.projectRoot, name), `${"lorem ipsum dolor\n".repeat(1_900)}`);
  }
  windowOf(20_000);
  const toolCalls = ["a", "b", "c"].map((path) => ({ name: "read", args: { path } }));
  harness.model.script({ toolCalls, usage: { input: 0, output: 0 } });
  await harness.say("read them");
  await harness.say("/handover");
  await harness.say("three");
  expect(errors()).toEqual([]);
});

it("keeps the user's message when the summary fails, and continues", async () => {
  harness = await startHarness({ llm: { contextWindow: 10_000, maxRetries: 0 } });
  harness.model.respond((request) =>
    isSummary(request) ? { status: 400, errorMessage: "no" } : { text: "answer" },
  );
  harness.model.script({ text: "first", usage: { input: 9_700, output: 10 } });
  await harness.say("one");
  await harness.say("IMPORTANT-SECOND");
  const last = harness.model.requests.at(-1)?.body.messages.map(({ content }) => content);
  expect(last).toContain("IMPORTANT-SECOND");
  await harness.say("third");
  expect(harness.events.at(-2)).toMatchObject({ type: "assistant.done", text: "answer" });
});

it("does not end over a single message that is larger than the window", async () => {
  harness = await startHarness({ llm: { contextWindow: 8_000 } });
  windowOf(8_000);
  await harness.say("z".repeat(60_000));
  await harness.say("next");
  expect(errors()).toEqual([]);
});

it("/handover with a prompt continues with it in the new context", async () => {
  harness = await startHarness({
    answers: [{ text: "one" }, { text: "SUMMARY" }, { text: "on it" }],
  });
  await harness.say("first");
  const before = harness.events.length;
  await harness.host.send("t", "/handover now write the tests");
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
  expect(outline(harness.events.slice(before))).toEqual([
    "running",
    "handover",
    "success",
    "assistant.done",
    "idle",
  ]);
  const replies = harness.model.requests
    .at(-1)
    ?.body.messages.map(({ content }) => String(content));
  expect(replies?.at(-1)).toBe("now write the tests");
  expect(replies?.[1]).toContain("SUMMARY");
  expect(JSON.stringify(harness.model.requests[1]?.body)).toContain("now write the tests");
  await harness.host.send("t", "/undo");
  await harness.waitForPhase("success", 2);
  expect(await harness.host.history?.("t")).toEqual([
    { role: "user", text: "first" },
    { role: "assistant", text: "one" },
  ]);
});

it("a hand-over that fails leaves the conversation, and ends its one run", async () => {
  harness = await startHarness({ llm: { maxRetries: 0 }, answers: [{ text: "one" }] });
  await harness.say("first");
  harness.model.script({ status: 400, errorMessage: "no" }, { text: "two" });
  const before = harness.events.length;
  await harness.host.send("t", "/handover go on");
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
  expect(outline(harness.events.slice(before))).toEqual(["running", "handover", "error", "idle"]);
  await harness.say("second");
  const said = harness.model.requests.at(-1)?.body.messages.map(({ content }) => content);
  expect(said?.slice(1)).toEqual(["first", "one", "second"]);
});
