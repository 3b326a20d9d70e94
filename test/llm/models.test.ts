import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import {
  chatEffort,
  type Effort,
  geminiEffort,
  messagesEffort,
  responsesEffort,
  routedEffort,
} from "../../src/llm/effort.ts";
import { computeCost, createModelClient, listModels, llmSettings } from "../../src/llm/index.ts";
import { findPrice } from "../../src/llm/price.ts";
import { findModel } from "../../src/llm/profiles/find-model.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function startServer(answer: string, type = "application/json") {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ path: request.url ?? "", headers: request.headers, body });
    response.writeHead(200, { "content-type": type }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const events = (...list: readonly { type: string }[]) =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const THOUGHT = events(
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-x",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 20,
        output_tokens: 1,
      },
    },
  } as { type: string },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "thinking", thinking: "" },
  } as { type: string },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "thinking_delta", thinking: "I weigh it." },
  } as { type: string },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "c2ln" },
  } as { type: string },
  { type: "content_block_stop", index: 0 } as { type: string },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "text", text: "" },
  } as { type: string },
  {
    type: "content_block_delta",
    index: 1,
    delta: { type: "text_delta", text: "Yes." },
  } as { type: string },
  { type: "content_block_stop", index: 1 } as { type: string },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 5 },
  } as { type: string },
  { type: "message_stop" },
);

it("anthropic behind a gateway supports caching and reasoning", async () => {
  const { url, seen } = await startServer(THOUGHT, "text/event-stream");
  const client = createModelClient(
    llmSettings.parse({
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      baseUrl: url,
      apiKey: "k",
      effort: "low",
    }),
  );
  let thought = "";
  const request = {
    system: "SYSTEM",
    tools: [],
    signal: AbortSignal.timeout(20_000),
    onReasoning: (text: string) => {
      thought += text;
    },
  };
  const first = { role: "user" as const, content: "well?" };
  const answer = await client.answer({ ...request, messages: [first] });
  expect(thought).toBe("I weigh it.");
  expect(answer.usage).toEqual({
    inputTokens: 130,
    outputTokens: 5,
    cachedTokens: 100,
    cacheWriteTokens: 20,
  });
  await client.answer({
    ...request,
    messages: [first, answer.message, { role: "user", content: "sure?" }],
  });
  expect(seen[0]?.body).toContain('"cache_control":{"type":"ephemeral"}');
  expect(seen[0]?.body).toContain('"thinking":{"type":"enabled","budget_tokens":4096}');
  expect(seen[1]?.body).toContain('"signature":"c2ln"');
});

it("sends effort in chat-completions format", async () => {
  const model = await startScriptedModel({ text: "a" }, { text: "b" });
  onTestFinished(() => model.close());
  const client = createModelClient(
    llmSettings.parse({ provider: "groq", model: "m", baseUrl: model.baseUrl, apiKey: "k" }),
  );
  const request = { system: "", messages: [{ role: "user" as const, content: "x" }], tools: [] };
  const signal = AbortSignal.timeout(20_000);
  await client.answer({ ...request, signal });
  await client.withEffort("high").answer({ ...request, signal });
  expect(model.requests.map(({ body }) => body.reasoning_effort)).toEqual([undefined, "high"]);
});

const asked = (effort: Effort | undefined, model: string) => ({
  effort,
  form: findModel(model).effort,
});

it.each([
  ["off", "claude-sonnet-4-5", { thinking: { type: "disabled" } }],
  ["low", "claude-sonnet-4.5", { thinking: { type: "enabled", budgetTokens: 4_096 } }],
  ["low", "claude-opus-4-8", { thinking: { type: "adaptive" }, effort: "low" }],
  ["high", "claude-opus-4-7", { thinking: { type: "adaptive" }, effort: "high" }],
  ["high", "claude-sonnet-5-5", { thinking: { type: "adaptive" }, effort: "high" }],
  ["off", "claude-sonnet-5-5", { effort: "low" }],
  ["off", "us.anthropic.claude-opus-4-6-v1", { thinking: { type: "disabled" } }],
] as const)("sends effort %s to %s in its format", (effort, model, expected) => {
  expect(messagesEffort(asked(effort, model))).toEqual(expected);
});

it.each([
  ["off", "gpt-5.1", "none"],
  ["off", "gpt-5", "minimal"],
  ["off", "gpt-5-2025-08-07", "minimal"],
  ["off", "o3", "low"],
  ["off", "gpt-6.2-sol", "low"],
  ["off", "gpt-6-sol", "none"],
  ["medium", "o3", "medium"],
] as const)("sends effort %s to %s as level %s", (effort, model, level) => {
  expect(responsesEffort(asked(effort, model))).toMatchObject({ reasoningEffort: level });
  expect(chatEffort(asked(effort, model))).toEqual({ reasoningEffort: level });
});

it("maps effort to other formats and omits it by default", () => {
  expect(geminiEffort(asked("low", "gemini-2.5-pro"))).toEqual({
    thinkingConfig: { includeThoughts: true, thinkingBudget: 4_096 },
  });
  expect(geminiEffort(asked("high", "gemini-3-pro-preview"))).toEqual({
    thinkingConfig: { includeThoughts: true, thinkingLevel: "high" },
  });
  expect(routedEffort(asked("off", "google/gemini-3-pro"))).toEqual({
    reasoning: { effort: "none" },
  });
  expect(chatEffort({ effort: "high", form: { form: "none" } })).toEqual({});
  const nothing = [messagesEffort, chatEffort, geminiEffort, routedEffort].map((tell) =>
    tell(asked(undefined, "any")),
  );
  expect(nothing).toEqual([{}, {}, {}, {}]);
});

it("lists a provider's models with the key in its header", async () => {
  const list = { data: [{ id: "b" }, { id: "a" }, { id: "b" }] };
  const { url, seen } = await startServer(JSON.stringify(list));
  const signal = new AbortController().signal;
  const ask = (provider: "openai" | "anthropic" | "azure" | "lmstudio", apiKey?: string) =>
    listModels({ provider, baseUrl: `${url}/v1`, apiKey }, signal);
  expect(await ask("openai", "k")).toEqual(["a", "b"]);
  await ask("anthropic", "k");
  await ask("azure", "k");
  await ask("lmstudio");
  expect(seen.map(({ path }) => path)).toEqual([
    "/v1/models",
    "/v1/models?limit=1000",
    "/v1/models",
    "/v1/models",
  ]);
  expect(seen[0]?.headers.authorization).toBe("Bearer k");
  expect(seen[1]?.headers["x-api-key"]).toBe("k");
  expect(seen[2]?.headers).toMatchObject({ "api-key": "k" });
  expect(seen[3]?.headers.authorization).toBeUndefined();
  const other = await startServer(JSON.stringify({ models: [{ name: "models/gemini-3-pro" }] }));
  const google = { provider: "google" as const, baseUrl: other.url, apiKey: "k" };
  expect(await listModels(google, signal)).toEqual(["gemini-3-pro"]);
  const broken = await startServer("no list");
  await expect(listModels({ ...google, baseUrl: broken.url }, signal)).rejects.toThrow(
    "google does not list its models",
  );
});

it("computes cost from the table, cache prices and the config", () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 900_000 };
  const known = findPrice({
    provider: "openrouter",
    model: "anthropic/claude-sonnet-4.5",
    configured: {},
  });
  expect(known).toMatchObject({ input: 3, output: 15 });
  expect(computeCost(tokens, known as NonNullable<typeof known>)).toBeCloseTo(0.3 + 0.27 + 1.5);
  const own = { input: 1, output: 2 };
  expect(findPrice({ provider: "openai", model: "m", configured: { m: own } })).toEqual(own);
  expect(computeCost(tokens, own)).toBeCloseTo(1.2);
  expect(findPrice({ provider: "ollama", model: "any", configured: {} })).toEqual({
    input: 0,
    output: 0,
  });
  expect(findPrice({ provider: "openai", model: "gpt-9", configured: {} })).toBeUndefined();
});

it("reports a missing customer-specific URL", async () => {
  const client = createModelClient(llmSettings.parse({ provider: "azure", apiKey: "k" }));
  await expect(
    client.answer({ system: "", messages: [], tools: [], signal: AbortSignal.timeout(9_000) }),
  ).rejects.toThrow(/"baseUrl".*openai\.azure\.com/);
});
