// @module-tag long: switches between all pairs of models.
import { expect, it } from "vitest";
import {
  createModelClient,
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
} from "./support/providers/index.ts";
import { signInToBedrock, signInToGoogle } from "./support/sign-in-to-clouds.ts";

const steps = 3;
const LEVELS = ["low", "medium", "high"];

const MODELS: Readonly<
  Record<string, readonly [Partial<LlmSettings>, () => Promise<StrictService>]>
> = {
  "Claude that thinks by a budget": [
    { provider: "anthropic", model: "claude-sonnet-4-5", effort: "low" },
    () => startStrictMessages({ thinking: "budget", steps }),
  ],
  "Claude that thinks as it likes": [
    { provider: "anthropic", model: "claude-opus-4-8", effort: "high" },
    () => startStrictMessages({ thinking: "adaptive", steps }),
  ],
  "Claude at Bedrock": [
    { provider: "bedrock", model: "anthropic.claude-sonnet-4-5-v1:0", effort: "low" },
    () => startStrictBedrock({ claude: { thinking: "budget" }, steps }),
  ],
  "Claude at Vertex": [
    { provider: "vertex", model: "claude-opus-4-8", effort: "low" },
    () => startStrictMessages({ thinking: "adaptive", cloud: "vertex", steps }),
  ],
  "gpt-oss at Bedrock": [
    { provider: "bedrock", model: "openai.gpt-oss-120b-1:0" },
    () => startStrictBedrock({ fields: [], steps }),
  ],
  "gpt-5": [
    { provider: "openai", model: "gpt-5", api: "responses" },
    () => startStrictResponses({ efforts: LEVELS, steps }),
  ],
  "Gemini 2.5": [
    { provider: "google", model: "gemini-2.5-pro" },
    () => startStrictGemini({ thinking: { budget: [128, 32_768] }, steps }),
  ],
  "Gemini 3": [
    { provider: "google", model: "gemini-3.1-pro-preview" },
    () => startStrictGemini({ thinking: LEVELS, signed: true, steps }),
  ],
  "Gemini 3 through OpenRouter": [
    { provider: "openrouter", model: "google/gemini-3.1-pro" },
    () =>
      startStrictChat({
        thinksIn: "reasoning_details",
        thoughtBack: "reasoning_details",
        fields: ["reasoning", "usage"],
        steps,
      }),
  ],
  DeepSeek: [
    { provider: "deepseek", model: "deepseek-reasoner" },
    () =>
      startStrictChat({ thinksIn: "reasoning_content", thoughtBack: "reasoning_content", steps }),
  ],
  Groq: [{ provider: "groq" }, () => startStrictChat({ thinksIn: "reasoning", steps })],
  Mistral: [
    { provider: "mistral", model: "magistral-medium-latest" },
    () =>
      startStrictChat({
        contentIsList: true,
        usageAtEnd: true,
        steps,
        fields: ["safe_prompt", "random_seed", "document_image_limit", "document_page_limit"],
      }),
  ],
  Ollama: [
    { provider: "ollama", model: "m" },
    () => startStrictOllama({ thinks: "switch", steps }),
  ],
};

async function ask(name: string, before: readonly ModelMessage[]): Promise<ModelMessage[]> {
  const [settings, start] = MODELS[name] ?? [];
  if (settings === undefined || start === undefined) throw new Error(`no model ${name}`);
  await using service = await start();
  if (settings.provider === "bedrock") signInToBedrock(service);
  if (settings.provider === "vertex") await signInToGoogle();
  const where = settings.provider === "bedrock" ? {} : { baseUrl: service.baseUrl };
  const client = createModelClient(
    llmSettings.parse({ ...where, apiKey: "a-key-of-ours", maxRetries: 0, ...settings }),
  );
  const messages: ModelMessage[] = [...before, { role: "user", content: "Read all of them." }];
  const inputSchema = { type: "object", properties: { path: { type: "string" } } };
  for (let step = 0; step <= steps; step += 1) {
    const { message, toolCalls } = await client.answer({
      system: "SYSTEM",
      messages: JSON.parse(JSON.stringify(messages)),
      tools: [{ name: "read", description: "Reads.", inputSchema }],
      signal: AbortSignal.timeout(60_000),
    });
    messages.push(message);
    if (toolCalls.length === 0) break;
    messages.push({
      role: "tool",
      content: toolCalls.map(({ callId, name: toolName }) => ({
        ...{ type: "tool-result", toolCallId: callId, toolName },
        output: { type: "text", value: "text" },
      })),
    });
  }
  expect(service.refusals).toEqual([]);
  expect(messages.at(-1)?.role).toBe("assistant");
  return messages;
}

const NAMES = Object.keys(MODELS);

it.each(NAMES)("%s can be followed by every other model", async (first) => {
  const before = await ask(first, []);
  const failed: string[] = [];
  for (const second of NAMES) {
    await ask(second, before).catch(
      (error: Error) => void failed.push(`${second}: ${error.message}`),
    );
  }
  expect(failed).toEqual([]);
});
