import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/index.ts";
import {
  createModelClient,
  type LlmSettings,
  listModels,
  llmSettings,
} from "../../src/llm/index.ts";
import { SERVICE_NAMES, SERVICES } from "../../src/llm/profiles/services.ts";
import { startStrictChat, startStrictMessages } from "./support/providers/index.ts";
import { startProxy } from "./support/proxy.ts";

const user = (content: string) => ({ role: "user" as const, content });

async function say(settings: Partial<LlmSettings>, messages: string[] = []) {
  const client = createModelClient(llmSettings.parse({ maxRetries: 0, apiKey: "k", ...settings }));
  const request = { system: "SYSTEM", tools: [], signal: AbortSignal.timeout(60_000) };
  const onRetry = (message: string) => void messages.push(message);
  await client.answer({ ...request, messages: [user("hello")], onRetry });
  return client;
}

it("uses the proxy for other hosts only", async () => {
  await using service = await startStrictChat({ steps: 0 });
  const proxy = await startProxy();
  const { port } = new URL(service.baseUrl);
  const elsewhere = `http://models.example.test:${port}/v1`;
  const reporting = say({ provider: "openai-compatible", baseUrl: elsewhere, proxy: proxy.url });
  // Only the proxy resolves this host name; it tunnels to this machine.
  await reporting;
  expect(proxy.asked).toEqual([`models.example.test:${port}`]);
  await say({ provider: "openai-compatible", baseUrl: service.baseUrl, proxy: proxy.url });
  expect(proxy.asked).toHaveLength(1);
  const inside = { baseUrl: elsewhere, proxy: proxy.url, noProxy: "example.test" };
  await expect(say({ provider: "openai-compatible", ...inside })).rejects.toThrow(
    /ENOTFOUND|EAI_AGAIN/,
  );
  expect(service.seen).toHaveLength(2);
});

it("reads the proxy from common variables", () => {
  const env = { HTTPS_PROXY: "proxy.corp:3128", NO_PROXY: ".corp", HOME: "/nowhere" };
  const { settings } = loadConfig({ flags: {}, env, cwd: "/", reader: "person" });
  expect(settings).toMatchObject({ proxy: "http://proxy.corp:3128", noProxy: ".corp" });
});

it("sends configured headers and a key from a command", async () => {
  await using service = await startStrictChat({ steps: 0 });
  const { baseUrl } = service;
  const client = await say({
    provider: "openai-compatible",
    baseUrl,
    apiKey: undefined,
    apiKeyCommand: "echo from-the-manager",
    headers: { "x-team": "payments" },
  });
  expect(service.seen[0]?.headers).toMatchObject({
    "x-team": "payments",
    authorization: "Bearer from-the-manager",
  });
  expect(JSON.stringify(client)).not.toContain("from-the-manager");
  const failing = { apiKey: undefined, apiKeyCommand: "echo locked >&2; exit 1" };
  await expect(say({ provider: "openai-compatible", baseUrl, ...failing })).rejects.toThrow(
    '"apiKeyCommand" returned no key: locked',
  );
});

it("omits a rejected field from then on and reports it", async () => {
  await using service = await startStrictChat({ steps: 0 });
  const messages: string[] = [];
  const client = await say(
    { provider: "openai-compatible", baseUrl: service.baseUrl, effort: "high" },
    messages,
  );
  expect(messages).toEqual([
    "openai-compatible rejected reasoning_effort: later requests omit it.",
  ]);
  const signal = AbortSignal.timeout(60_000);
  await client.answer({ system: "", messages: [user("again")], tools: [], signal });
  expect(service.seen.map(({ body }) => body.reasoning_effort)).toEqual([
    "high",
    undefined,
    undefined,
  ]);
});

it("reports other rejections unchanged", async () => {
  const refuses = () => ({ status: 400, refusal: { error: { message: "model: no such thing" } } });
  await using service = await startStrictChat({ steps: 0, refuses, fields: [] });
  const settings = { provider: "openai-compatible" as const, baseUrl: service.baseUrl };
  await expect(say({ ...settings, effort: "low" })).rejects.toThrow("model: no such thing");
  expect(service.seen).toHaveLength(1);
});

it.each(SERVICE_NAMES.filter((name) => SERVICES[name].keyVariable !== undefined))(
  "sends a key for %s only to its own address",
  async (provider) => {
    const requests: string[] = [];
    const fetch = async (input: string | URL | Request) => {
      requests.push(new URL(String(input)).host);
      return new Response('{"data":[]}');
    };
    const question = { provider, baseUrl: undefined, apiKey: "k", fetch };
    const own = await listModels(question, AbortSignal.timeout(9_000)).then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain('"baseUrl"');
        return false;
      },
    );
    const { baseUrl } = SERVICES[provider];
    if (baseUrl !== undefined) expect([own, requests]).toEqual([true, [new URL(baseUrl).host]]);
    else if (provider !== "anthropic" && provider !== "google")
      expect([own, requests]).toEqual([false, []]);
  },
);

it("requires a base URL for chat completions", async () => {
  const settings = { provider: "bedrock" as const, api: "chat" as const };
  await expect(say(settings)).rejects.toThrow('"baseUrl" (CAIRN_BASE_URL) is missing');
});

const marksIn = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;

it.each([
  ["anthropic", "claude-sonnet-5-5", () => startStrictMessages({ thinking: "always", steps: 0 })],
  [
    "openrouter",
    "anthropic/claude-sonnet-5.5",
    () => startStrictChat({ steps: 0, fields: ["reasoning", "usage"] }),
  ],
] as const)(
  "adds cache markers for %s after the system prompt and the last two steps",
  async (provider, model, start) => {
    await using service = await start();
    const settings = { provider, model, baseUrl: service.baseUrl, apiKey: "k", maxRetries: 0 };
    const client = createModelClient(llmSettings.parse(settings));
    const messages = [
      user("one"),
      { role: "assistant" as const, content: "1" },
      user("two"),
      { role: "assistant" as const, content: "2" },
      user("three"),
    ];
    await client.answer({
      system: "SYSTEM",
      messages,
      tools: [],
      signal: AbortSignal.timeout(60_000),
    });
    const { body } = service.seen[0] ?? {};
    const system = body.system ?? body.messages[0];
    const said = body.messages.filter(({ role }: { role: string }) => role === "user");
    expect([marksIn(system), said.map(marksIn)]).toEqual([1, [0, 1, 1]]);
    expect(service.refusals).toEqual([]);
  },
);
