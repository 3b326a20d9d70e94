import { afterEach, expect, it } from "vitest";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const errors = () =>
  harness.events.flatMap((event) => (event.type === "error" ? [event.message] : []));

function stream(...chunks: object[]): string {
  const head = { id: "c", object: "chat.completion.chunk", created: 0, model: "m" };
  return [...chunks.map((chunk) => JSON.stringify({ ...head, ...chunk })), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}
const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

it("replaces a tool name that providers reject", async () => {
  const names = ["functions.shell", "browser.open", "$x", "n".repeat(80)];
  harness = await startHarness({
    answers: [{ toolCalls: names.map((name) => ({ name, args: {} })) }, { text: "done" }],
  });
  await harness.say("go");
  harness = await harness.restart();
  await harness.say("more");
  for (const { body } of harness.model.requests.slice(1)) {
    const sent = body.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(sent).toHaveLength(names.length);
    for (const call of sent) expect(call.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  }
});

it("keeps call ids unique if every response restarts them", async () => {
  const call = (path: string) => ({ toolCalls: [{ id: "call_0", name: "read", args: { path } }] });
  harness = await startHarness({ answers: [call("a"), call("b"), { text: "done" }] });
  await harness.say("go");
  const ids = harness.model.requests
    .at(-1)
    ?.body.messages.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
  const lines = harness.events.flatMap((one) => (one.type === "tool.call" ? [one.callId] : []));
  expect(lines).toEqual(ids);
});

it.each([
  ['<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>', true],
  ["I look.\n<function=read>\n<parameter=path>a</parameter>\n</function>", true],
  ["Models write `<tool_call>` around a call, and </tool_call> after it.", false],
])("reports that a tool call arrived as text: %s", async (text, isCall) => {
  harness = await startHarness({ answers: [{ text }] });
  await harness.say("go");
  const events = harness.events.filter(
    (event) => event.type === "status" && event.message?.includes("tool call as text"),
  );
  expect(events).toHaveLength(isCall ? 1 : 0);
});

it("reports truncation at the output limit, and keeps the text", async () => {
  harness = await startHarness({
    answers: [{ raw: stream(delta({ content: "half an ans" }), delta({}, "length")) }],
  });
  await harness.say("go");
  expect(errors()).toEqual([expect.stringContaining("output limit")]);
  await harness.say("go on");
  expect(harness.model.requests[1]?.body.messages.map(({ content }) => content)).toContain(
    "half an ans",
  );
});

it("tells the model that its call was truncated, not that it is stuck", async () => {
  const half = stream(
    delta({
      tool_calls: [
        {
          index: 0,
          id: "w",
          type: "function",
          function: { name: "write", arguments: '{"path":"a' },
        },
      ],
    }),
    delta({}, "length"),
  );
  harness = await startHarness({ answers: [{ raw: half }, { raw: half }, { raw: half }] });
  await harness.say("go");
  expect(errors()).toEqual([expect.stringContaining("output limit")]);
  const results = harness.model.requests[2]?.body.messages.filter(({ role }) => role === "tool");
  expect(String(results?.[0]?.content)).toContain("smaller parts");
});

it.each([
  ["a refusal", stream(delta({ refusal: "I will not." }), delta({}, "stop")), "refused"],
  ["a filtered answer", stream(delta({ content: "We" }), delta({}, "content_filter")), "filter"],
])("reports %s as an error without a retry", async (_name, raw, word) => {
  harness = await startHarness({ answers: [{ raw }] });
  await harness.say("go");
  expect(harness.model.requests).toHaveLength(1);
  expect(errors()).toEqual([expect.stringContaining(word)]);
  if (word === "refused") {
    expect(harness.events).toContainEqual(expect.objectContaining({ text: "I will not." }));
  }
});

it("retries after an error event before any output", async () => {
  const raw = `data: ${JSON.stringify({ error: { message: "overloaded", code: 529 } })}\n\n`;
  harness = await startHarness({ answers: [{ raw }, { text: "fine" }] });
  await harness.say("go");
  expect(errors()).toEqual([]);
  expect(harness.model.requests).toHaveLength(2);
});

it("truncates an endless response, and the thread stays small", async () => {
  const chunk = "x".repeat(300_000);
  harness = await startHarness({ answers: [{ text: Array.from({ length: 20 }, () => chunk) }] });
  await harness.say("go");
  expect(errors()).toEqual([expect.stringContaining("longer than a million")]);
  await harness.say("next");
  expect(JSON.stringify(harness.model.requests.at(-1)?.body).length).toBeLessThan(1_500_000);
});
