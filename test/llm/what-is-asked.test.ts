import { expect, it } from "vitest";
import { createModelClient, llmSettings } from "../../src/llm/index.ts";
import { findPrice } from "../../src/llm/price.ts";
import {
  type StrictService,
  startStrictMessages,
  startStrictResponses,
} from "./support/providers/index.ts";

const ask = async (service: StrictService, settings: object, system = "S") => {
  const given = { baseUrl: service.baseUrl, apiKey: "k", maxRetries: 0, ...settings };
  await createModelClient(llmSettings.parse(given)).answer({
    system,
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    signal: AbortSignal.timeout(30_000),
  });
};

it("requests prompt caching and reasoning from OpenAI", async () => {
  await using service = await startStrictResponses({ efforts: ["low"], steps: 0 });
  const settings = { provider: "openai", model: "gpt-5", api: "responses" };
  await ask(service, settings);
  await ask(service, settings);
  await ask(service, settings, "Another prompt");
  const keys = service.seen.map(({ body }) => body.prompt_cache_key);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(service.seen[0]?.body.reasoning).toMatchObject({ summary: "auto" });
});

it.each([
  ["low", true],
  ["off", false],
  [undefined, false],
])("enables interleaved thinking for Claude 4.5: effort %s", async (effort, thinks) => {
  await using service = await startStrictMessages({ thinking: "budget", steps: 0 });
  const model = { provider: "anthropic", model: "claude-sonnet-4-5" };
  await ask(service, { ...model, ...(effort !== undefined && { effort }) });
  const prompt = String(service.seen[0]?.headers["anthropic-beta"] ?? "");
  expect(prompt.includes("interleaved-thinking")).toBe(thinks);
});

it.each([
  ["claude-opus-4-1", 15, 75],
  ["claude-opus-4-5", 5, 25],
  ["claude-opus-4-8", 5, 25],
  ["claude-opus-5-5", 4, 20],
  ["claude-haiku-4-5", 1, 5],
])("counts %s at its price", (model, input, output) => {
  expect(findPrice({ provider: "anthropic", model, configured: {} })).toMatchObject({
    input,
    output,
  });
});
