import { describe, expect, it } from "vitest";
import {
  createModelClient,
  EFFORTS,
  type LlmSettings,
  llmSettings,
  type ModelMessage,
} from "../../src/llm/index.ts";
import {
  type StrictService,
  startStrictBedrock,
  startStrictChat,
  startStrictGemini,
  startStrictMessages,
  startStrictOllama,
  startStrictResponses,
} from "../../src/testing/index.ts";
import { signInToBedrock, signInToGoogle } from "./support/signed-in-to-clouds.ts";

const tool = (name: string) => ({
  name,
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

type Settings = Partial<LlmSettings>;

/** A result of a tool, such as of an MCP server, with a picture between its texts. */
const PICTURE = {
  type: "content" as const,
  value: [
    { type: "text" as const, text: "before" },
    { type: "image-data" as const, data: "iVBORw0KGgo=", mediaType: "image/png" },
    { type: "text" as const, text: "behind" },
  ],
};

/** Nine steps of two calls and a closing word; after the fifth, another process goes on. */
async function converse(service: StrictService, settings: Settings): Promise<string> {
  const { provider } = settings;
  if (provider === "bedrock") signInToBedrock(service);
  if (provider === "vertex") await signInToGoogle();
  // At an address of a person's own, Bedrock is what imitates it.
  const where = provider === "bedrock" ? {} : { baseUrl: service.baseUrl };
  const open = () =>
    createModelClient(llmSettings.parse({ ...where, apiKey: "k", maxRetries: 0, ...settings }));
  let client = open();
  let messages: ModelMessage[] = [{ role: "user", content: "Read all of them." }];
  for (let step = 0; step < 10; step += 1) {
    if (step === 5) {
      client = open();
      messages = JSON.parse(JSON.stringify(messages));
    }
    const signal = AbortSignal.timeout(60_000);
    const answer = await client.answer({
      system: "SYSTEM",
      messages,
      tools: [tool("read")],
      signal,
    });
    messages.push(answer.message);
    if (answer.toolCalls.length === 0) return answer.text;
    expect(answer.toolCalls.map(({ input }) => input)).toEqual([
      { path: expect.stringMatching(/^f\d\d$/) },
      { path: expect.stringMatching(/^f\d\d$/) },
    ]);
    messages.push({
      role: "tool",
      content: answer.toolCalls.map(({ callId, name }) => ({
        type: "tool-result",
        toolCallId: callId,
        toolName: name,
        output: step === 3 ? PICTURE : { type: "text", value: "text" },
      })),
    });
  }
  throw new Error("It went on and on.");
}

/** Settings of a service, and the rules by which its requests are judged. */
const LOW_TO_HIGH = ["low", "medium", "high"];
const mistralRefuses = (field: string) => ({
  status: 422,
  refusal: {
    detail: [{ type: "extra_forbidden", loc: ["body", "messages", 2, "assistant", field] }],
  },
});
const SERVICES: readonly [string, Settings, () => Promise<StrictService>][] = [
  [
    "groq",
    { provider: "groq" },
    () => startStrictChat({ efforts: LOW_TO_HIGH, thinksIn: "reasoning" }),
  ],
  [
    "cerebras",
    { provider: "cerebras" },
    () => startStrictChat({ efforts: LOW_TO_HIGH, thinksIn: "reasoning" }),
  ],
  [
    "mistral, a model that thinks",
    { provider: "mistral", model: "magistral-medium-latest" },
    () =>
      startStrictChat({
        contentIsList: true,
        usageAtEnd: true,
        refuses: mistralRefuses,
        fields: ["safe_prompt", "random_seed", "document_image_limit", "document_page_limit"],
      }),
  ],
  [
    "deepseek, which demands its thought back",
    { provider: "deepseek", model: "deepseek-reasoner" },
    () => startStrictChat({ thinksIn: "reasoning_content", thoughtBack: "reasoning_content" }),
  ],
  [
    "moonshot",
    { provider: "moonshot" },
    () => startStrictChat({ thinksIn: "reasoning_content", thoughtBack: "reasoning_content" }),
  ],
  ["xai", { provider: "xai" }, () => startStrictChat({ thinksIn: "reasoning_content" })],
  ["together", { provider: "together" }, () => startStrictChat({ efforts: LOW_TO_HIGH })],
  [
    "Gemini 3 through openrouter, which demands its details back",
    { provider: "openrouter", model: "google/gemini-3.1-pro" },
    () =>
      startStrictChat({
        thinksIn: "reasoning_details",
        thoughtBack: "reasoning_details",
        fields: ["reasoning", "usage", "include_reasoning"],
      }),
  ],
  [
    "Claude 4.5",
    { provider: "anthropic", model: "claude-sonnet-4-5" },
    () => startStrictMessages({ thinking: "budget" }),
  ],
  [
    "Claude 4.8",
    { provider: "anthropic", model: "claude-opus-4-8" },
    () => startStrictMessages({ thinking: "adaptive" }),
  ],
  [
    "Claude 5.5, which always thinks",
    { provider: "anthropic", model: "claude-opus-5-5" },
    () => startStrictMessages({ thinking: "always" }),
  ],
  [
    "Claude behind a gateway to a cloud",
    { provider: "anthropic", model: "claude-opus-4-7" },
    () => startStrictMessages({ thinking: "adaptive", isGateway: true }),
  ],
  [
    "gpt-5",
    { provider: "openai", model: "gpt-5", api: "responses" },
    () => startStrictResponses({ efforts: ["minimal", ...LOW_TO_HIGH] }),
  ],
  [
    "o3",
    { provider: "openai", model: "o3", api: "responses" },
    () => startStrictResponses({ efforts: LOW_TO_HIGH }),
  ],
  [
    "gpt-5.5",
    { provider: "openai", model: "gpt-5.5", api: "responses" },
    () => startStrictResponses({ efforts: ["none", ...LOW_TO_HIGH] }),
  ],
  [
    "Claude 4.1, whose largest answer is smaller than its longest thought",
    { provider: "anthropic", model: "claude-opus-4-1" },
    () => startStrictMessages({ thinking: "budget", largest: 32_000 }),
  ],
  [
    "Gemini 2.5 Pro",
    { provider: "google", model: "gemini-2.5-pro" },
    () => startStrictGemini({ thinking: { budget: [128, 32_768] } }),
  ],
  [
    "Gemini 2.5 Flash",
    { provider: "google", model: "gemini-2.5-flash" },
    () => startStrictGemini({ thinking: { budget: [0, 24_576] } }),
  ],
  [
    "Gemini 2.5 Flash Lite",
    { provider: "google", model: "gemini-2.5-flash-lite" },
    () => startStrictGemini({ thinking: { budget: [0, 24_576] } }),
  ],
  [
    "Gemini 3.1, which demands its signatures back",
    { provider: "google", model: "gemini-3.1-pro-preview" },
    () => startStrictGemini({ thinking: LOW_TO_HIGH, signed: true }),
  ],
  [
    "Gemini 3.8 at Vertex",
    { provider: "vertex", model: "gemini-3.8-flash" },
    () => startStrictGemini({ thinking: LOW_TO_HIGH, signed: true }),
  ],
  [
    "Claude 4.5 at Vertex",
    { provider: "vertex", model: "claude-sonnet-4-5@20250929" },
    () => startStrictMessages({ thinking: "budget", cloud: "vertex" }),
  ],
  [
    "Claude 4.8 at Vertex",
    { provider: "vertex", model: "claude-opus-4-8" },
    () => startStrictMessages({ thinking: "adaptive", cloud: "vertex" }),
  ],
  [
    "Claude 4.5 at Bedrock",
    { provider: "bedrock", model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
    () => startStrictBedrock({ claude: { thinking: "budget" } }),
  ],
  [
    "Claude 5 at Bedrock",
    { provider: "bedrock" },
    () => startStrictBedrock({ claude: { thinking: "adaptive" } }),
  ],
  [
    "gpt-oss at Bedrock",
    { provider: "bedrock", model: "openai.gpt-oss-120b-1:0" },
    () => startStrictBedrock({ fields: ["reasoning_effort"] }),
  ],
  [
    "Nova at Bedrock",
    { provider: "bedrock", model: "us.amazon.nova-pro-v1:0" },
    () => startStrictBedrock({ fields: [] }),
  ],
  ["Ollama, a model that only answers", { provider: "ollama", model: "m" }, startStrictOllama],
  [
    "Ollama, a model that thinks by a switch",
    { provider: "ollama", model: "m" },
    () => startStrictOllama({ thinks: "switch" }),
  ],
  [
    "Ollama, a model that thinks by levels",
    { provider: "ollama", model: "gpt-oss:20b" },
    () => startStrictOllama({ thinks: "levels" }),
  ],
  [
    "azure, an older version without a key for its cache",
    { provider: "azure", model: "gpt-6.2-sol" },
    () => startStrictResponses({ efforts: LOW_TO_HIGH, without: ["prompt_cache_key"] }),
  ],
];

describe.each(SERVICES)("a conversation of ten steps with %s", (_name, settings, start) => {
  it.each([undefined, ...EFFORTS])("is taken, effort %s", async (effort) => {
    await using service = await start();
    expect(await converse(service, { ...settings, ...(effort !== undefined && { effort }) })).toBe(
      "Done.",
    );
    // At most a field that is dispensable, and that one once.
    expect(service.refusals.length).toBeLessThanOrEqual(settings.provider === "azure" ? 2 : 0);
  });
});
