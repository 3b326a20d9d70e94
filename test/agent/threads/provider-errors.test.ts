import { afterEach, describe, expect, it } from "vitest";
import { type Harness, outline, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const errors = () =>
  harness.events.flatMap((event) => (event.type === "error" ? [event.message] : []));

async function expectUsable(): Promise<void> {
  harness.model.respond(() => ({ text: "works again" }));
  await harness.say("and now?");
  expect(harness.events.at(-2)).toMatchObject({ type: "assistant.done", text: "works again" });
}

describe("a provider", () => {
  it("is not retried after 401, and the error names the key", async () => {
    harness = await startHarness({ answers: [{ status: 401 }] });
    await harness.say("hi");
    expect(harness.model.requests).toHaveLength(1);
    expect(errors()).toEqual([expect.stringContaining("CAIRN_API_KEY")]);
    expect(outline(harness.events).slice(1)).toEqual(["running", "error", "idle"]);
    await expectUsable();
  });

  it("is retried after 429 with the delay of retry-after", async () => {
    harness = await startHarness({
      answers: [{ status: 429, headers: { "retry-after": "1" } }, { text: "later" }],
    });
    await harness.say("hi");
    const [first, second] = harness.model.requests;
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(950);
    expect(errors()).toEqual([]);
    expect(harness.events.at(-2)).toMatchObject({ text: "later" });
  });

  it("reports one error after repeated 500s", async () => {
    harness = await startHarness({ llm: { maxRetries: 1 } });
    harness.model.respond(() => ({ status: 500 }));
    await harness.say("hi");
    expect(harness.model.requests).toHaveLength(2);
    expect(errors()).toEqual([expect.stringContaining("answered 500")]);
    await expectUsable();
  });

  it("is retried after an empty response", async () => {
    harness = await startHarness({ answers: [{ text: "" }, { text: "something" }] });
    await harness.say("hi");
    expect(errors()).toEqual([]);
    expect(harness.model.requests).toHaveLength(2);
  });

  it("is retried if the stream breaks before any output", async () => {
    harness = await startHarness({ answers: [{ cutOff: true }, { text: "whole" }] });
    await harness.say("hi");
    expect(errors()).toEqual([]);
    expect(harness.events.at(-2)).toMatchObject({ text: "whole" });
  });

  it.each([
    ["breaks", { text: ["some", "thing"], cutOff: true }],
    ["ends without a finish", { text: "something", endEarly: true }],
  ])("is retried if the stream %s after output, since nothing ran", async (_how, answer) => {
    harness = await startHarness({ answers: [answer, { text: "something whole" }] });
    await harness.say("hi");
    expect(harness.model.requests).toHaveLength(2);
    expect(errors()).toEqual([]);
    expect(outline(harness.events).slice(1)).toEqual([
      "running",
      ...["assistant.done", "info", "assistant.done"],
      "idle",
    ]);
    await expectUsable();
    const said = harness.model.requests[2]?.body.messages.map(({ content }) => content).slice(1);
    expect(said).toEqual(["hi", "something whole", "and now?"]);
  });

  it("reports one plain error after repeated broken streams, after the text", async () => {
    harness = await startHarness({ llm: { maxRetries: 1 } });
    harness.model.respond(() => ({ text: ["some", "thing"], cutOff: true }));
    await harness.say("hi");
    expect(errors()).toEqual([
      expect.stringContaining("the connection was lost during the response"),
    ]);
    expect(harness.events.slice(-3).map(({ type }) => type)).toEqual([
      "assistant.delta",
      "error",
      "status",
    ]);
    await expectUsable();
  });

  it("reports one error for a stream without JSON", async () => {
    harness = await startHarness({ llm: { maxRetries: 0 }, answers: [{ raw: "data: {no\n\n" }] });
    await harness.say("hi");
    expect(errors()).toHaveLength(1);
    await expectUsable();
  });

  it("that cannot be reached becomes one error that names the base URL", async () => {
    harness = await startHarness({ llm: { baseUrl: "http://127.0.0.1:1/v1", maxRetries: 0 } });
    await harness.say("hi");
    expect(errors()).toEqual([expect.stringContaining("CAIRN_BASE_URL")]);
  });

  it("sends no request without a key, and the error explains how to set one", async () => {
    harness = await startHarness({ llm: { provider: "openai" } });
    await harness.say("hi");
    expect(harness.model.requests).toHaveLength(0);
    expect(errors()).toEqual([expect.stringMatching(/CAIRN_API_KEY.*config\.json/)]);
  });

  it("never sees its key repeated to a client", async () => {
    harness = await startHarness({
      llm: { apiKey: "sk-very-secret" },
      answers: [{ status: 400, errorMessage: "bad key sk-very-secret" }],
    });
    await harness.say("hi");
    expect(harness.model.requests[0]?.authorization).toBe("Bearer sk-very-secret");
    expect(JSON.stringify(harness.events)).not.toContain("sk-very-secret");
  });

  it("of type openai-compatible without a key gets no authorization header", async () => {
    harness = await startHarness();
    await harness.say("hi");
    expect(harness.model.requests[0]?.authorization).toBeUndefined();
  });
});
