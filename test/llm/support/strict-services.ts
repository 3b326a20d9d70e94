import type { LlmSettings } from "../../../src/llm/index.ts";
import {
  type StrictService,
  startStrictBedrock,
  startStrictChat,
  startStrictGemini,
  startStrictMessages,
  startStrictOllama,
  startStrictResponses,
} from "./providers/index.ts";

export type Settings = Partial<LlmSettings>;

const LOW_TO_HIGH = ["low", "medium", "high"];
const mistralRefuses = (field: string) => ({
  status: 422,
  refusal: {
    detail: [{ type: "extra_forbidden", loc: ["body", "messages", 2, "assistant", field] }],
  },
});
const THINKS_BACK = {
  thinksIn: "reasoning_content",
  thoughtBack: "reasoning_content",
} as const;
/**
 * Local servers accept the levels, return thinking in a separate field, and do not need it back.
 */
const LOCAL = {
  efforts: ["none", ...LOW_TO_HIGH],
  thinksIn: "reasoning_content",
} as const;
export const STRICT_SERVICES: readonly [string, Settings, () => Promise<StrictService>][] = [
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
  ["zai", { provider: "zai" }, () => startStrictChat(THINKS_BACK)],
  [
    "fireworks",
    { provider: "fireworks" },
    () => startStrictChat({ efforts: LOW_TO_HIGH, thinksIn: "reasoning_content" }),
  ],
  [
    "gpt-5.5 through vercel",
    { provider: "vercel", model: "openai/gpt-5.5" },
    () => startStrictChat({ efforts: ["none", ...LOW_TO_HIGH], thinksIn: "reasoning" }),
  ],
  [
    "Claude through vercel, by its maker's form",
    { provider: "vercel" },
    () => startStrictMessages({ thinking: "always", isGateway: true }),
  ],
  [
    "gpt-5.5 through litellm",
    { provider: "litellm" },
    () => startStrictChat({ efforts: ["none", ...LOW_TO_HIGH] }),
  ],
  [
    "Claude through litellm, by its maker's form",
    { provider: "litellm", model: "claude-sonnet-4-5" },
    () => startStrictMessages({ thinking: "budget", isGateway: true }),
  ],
  [
    "Claude through openrouter",
    { provider: "openrouter" },
    () =>
      startStrictChat({
        thinksIn: "reasoning_details",
        thoughtBack: "reasoning_details",
        fields: ["reasoning", "usage", "include_reasoning"],
      }),
  ],
  [
    "gpt-5.5 behind a gateway, in chat completions",
    { provider: "openai", model: "gpt-5.5" },
    () => startStrictChat({ efforts: ["none", ...LOW_TO_HIGH] }),
  ],
  ["lmstudio", { provider: "lmstudio" }, () => startStrictChat(LOCAL)],
  ["llamacpp", { provider: "llamacpp" }, () => startStrictChat(LOCAL)],
  ["vllm", { provider: "vllm" }, () => startStrictChat(LOCAL)],
  [
    "a server that only imitates chat completions",
    { provider: "openai-compatible", model: "m" },
    () => startStrictChat(LOCAL),
  ],
];
