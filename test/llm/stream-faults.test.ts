import { describe, expect, it } from "vitest";
import { createModelClient, llmSettings, type ModelMessage } from "../../src/llm/index.ts";
import { type Fault, startFaultyProxy } from "./support/faulty-proxy.ts";
import { type ApiForm, FORMS } from "./support/forms-of-apis.ts";
import { signInToBedrock } from "./support/sign-in-to-clouds.ts";

async function converse(form: ApiForm, faults: readonly Fault[]) {
  await using service = await form.start();
  const way = await startFaultyProxy(service, form.framing, faults);
  const isBedrock = form.settings.provider === "bedrock";
  if (isBedrock) signInToBedrock(way);
  const where = isBedrock ? {} : { baseUrl: way.baseUrl };
  const told: string[] = [];
  let text = "";
  const client = createModelClient(
    llmSettings.parse({ ...where, apiKey: "a-key-of-ours", maxRetries: 2, ...form.settings }),
  );
  const messages: ModelMessage[] = [{ role: "user", content: "Read all of them." }];
  const inputSchema = { type: "object", properties: { path: { type: "string" } } };
  for (;;) {
    text = "";
    const { message, toolCalls } = await client.answer({
      system: "SYSTEM",
      messages,
      tools: [{ name: "read", description: "Reads.", inputSchema }],
      signal: AbortSignal.timeout(60_000),
      onText: (piece) => {
        text += piece;
      },
      onRestart: () => {
        text = "";
      },
      onRetry: (reply) => void told.push(reply),
    });
    messages.push(message);
    if (toolCalls.length === 0) break;
    const path = expect.stringMatching(/^f\d\d$/);
    expect(toolCalls.map(({ input }) => input)).toEqual([{ path }, { path }]);
    messages.push({
      role: "tool",
      content: toolCalls.map(({ callId, name: toolName }) => ({
        ...{ type: "tool-result", toolCallId: callId, toolName },
        output: { type: "text", value: "text" },
      })),
    });
  }
  expect(service.refusals).toEqual([]);
  return { text, told, asked: way.asked() };
}

const half = (events: readonly Buffer[]) => Math.floor(events.length / 2);
const between = (one: Buffer) => (events: readonly Buffer[]) => [
  ...events.slice(0, half(events)),
  one,
];
const refusing = (form: ApiForm, status: number, headers: Record<string, string> = {}) => ({
  instead: { status, headers, body: form.refusal("Slow down") },
});

/**
 * `npm test` covers this API with all faults. The others are long, and skip faults that are
 * independent of the API.
 */
const BASIC = "chat completions";

/** Error statuses without a Retry-After header. */
const REFUSALS = [429, 503, 529];

describe.each(Object.entries(FORMS))("a stream of %s", (name, form) => {
  const isBasic = name === BASIC;
  const tags = isBasic ? [] : ["long"];

  it.each<[string, Fault]>([
    ["in pieces of one byte", { piece: 1 }],
    [
      "with events between the others that say nothing",
      {
        change: (events) =>
          events.flatMap((one, index) => (index < half(events) ? [one, ...form.empty] : [one])),
      },
    ],
  ])("is read %s", { tags }, async (_fault, fault) => {
    const { text, told } = await converse(form, [fault, fault, fault]);
    expect([text, told]).toEqual(["Done.", []]);
  });

  it.each<[string, Fault]>([
    ["ends too early", { change: (events) => events.slice(0, half(events)) }],
    [
      "breaks off within an event",
      {
        change: (events) => {
          const whole = Buffer.concat(events);
          return [whole.subarray(0, whole.length * 0.6)];
        },
        cut: true,
      },
    ],
    ["ends with an error that passes", { change: between(form.passing) }],
    ...(isBasic
      ? REFUSALS.map((status): [string, Fault] => [
          `is refused with ${status}`,
          refusing(form, status),
        ])
      : []),
  ])("is retried when it %s", { tags }, async (_fault, fault) => {
    const { text, told } = await converse(form, [fault]);
    expect(text).toBe("Done.");
    expect(told).toEqual([expect.stringMatching(/^The model request failed \(.+ \(1 of 2\)\.$/)]);
  });

  it.runIf(isBasic)("is retried after the delay of a 429", { tags }, async () => {
    const before = performance.now();
    const { told } = await converse(form, [refusing(form, 429, { "retry-after": "1" })]);
    expect(told).toEqual(["The model request failed (status 429); retrying in 1.0 s (1 of 2)."]);
    expect(performance.now() - before).toBeGreaterThan(990);
  });

  it("fails on a permanent error, which is reported", { tags }, async () => {
    const fault = { change: between(form.lasting) };
    await expect(converse(form, [fault, fault, fault])).rejects.toThrow(
      /failed: The prompt is too long\. Set "contextWindow"/,
    );
  });

  it("fails after the third failure, which is reported", { tags }, async () => {
    const fault = refusing(form, 529, { "retry-after-ms": "1" });
    await expect(converse(form, [fault, fault, fault])).rejects.toThrow("529");
  });
});

it("waits for the delay in the body of a Gemini 429", async () => {
  const { gemini } = FORMS;
  if (gemini === undefined) throw new Error("no such form");
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.2s" }];
  const error = { code: 429, message: "Slow down", status: "RESOURCE_EXHAUSTED", details };
  const { told } = await converse(gemini, [{ instead: { status: 429, body: { error } } }]);
  expect(told).toEqual(["The model request failed (status 429); retrying in 1.2 s (1 of 2)."]);
});
