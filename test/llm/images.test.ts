import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { placeImages, seesImages } from "../../src/llm/images.ts";
import { createModelClient, llmSettings, type ModelMessage } from "../../src/llm/index.ts";

const PNG = "iVBORw0KGgo=";
const URL_OF_PNG = `data:image/png;base64,${PNG}`;

const CONVERSATION: readonly ModelMessage[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "what is this?" },
      { type: "image", image: PNG, mediaType: "image/png" },
    ],
  },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a.png" } }],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "read",
        output: {
          type: "content",
          value: [
            { type: "text", text: "a.png: image/png, 8 bytes" },
            { type: "image-data", data: PNG, mediaType: "image/png" },
          ],
        },
      },
    ],
  },
];

/** Returns the request body sent for the conversation. The provider rejects it. */
async function bodyFor(settings: object): Promise<Record<string, unknown>> {
  let seen = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    // Keeps the last body, because the client may query the server's capabilities first.
    seen = body;
    response
      .writeHead(400, { "content-type": "application/json" })
      .end('{"error":{"message":"no"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const original = globalThis.fetch;
  // The Responses API is used only with OpenAI's own URL.
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    original(String(url).replace("https://api.openai.com", here), init),
  );
  const client = createModelClient(
    llmSettings.parse({ apiKey: "k", maxRetries: 0, baseUrl: here, ...settings }),
  );
  const request = {
    system: "S",
    messages: CONVERSATION,
    tools: [],
    signal: AbortSignal.timeout(10_000),
  };
  await expect(client.answer(request)).rejects.toThrow("answered 400");
  return JSON.parse(seen);
}

afterEach(() => vi.unstubAllGlobals());

describe("images in messages and tool results", () => {
  it("are sent to Anthropic in place", async () => {
    const { messages } = await bodyFor({ provider: "anthropic", model: "claude-sonnet-4-5" });
    const source = { type: "base64", media_type: "image/png", data: PNG };
    expect(messages).toMatchObject([
      { role: "user", content: [{ type: "text" }, { type: "image", source }] },
      { role: "assistant" },
      {
        role: "user",
        content: [{ type: "tool_result", content: [{ type: "text" }, { type: "image", source }] }],
      },
    ]);
  });

  it("are sent to OpenAI's responses API in place", async () => {
    const { input } = await bodyFor({ provider: "openai", model: "gpt-5.1", baseUrl: undefined });
    const image = { type: "input_image", image_url: URL_OF_PNG };
    const items = input as { role?: string; type?: string }[];
    expect(items.find(({ role }) => role === "user")).toMatchObject({
      content: [{ type: "input_text" }, image],
    });
    expect(items.find(({ type }) => type === "function_call_output")).toMatchObject({
      output: [{ type: "input_text" }, image],
    });
  });

  it.each(["gemini-2.5-pro", "gemini-3-pro"])("are sent to Google, %s", async (model) => {
    const { contents } = await bodyFor({ provider: "google", model });
    const text = JSON.stringify(contents);
    expect(
      text.match(/"inlineData":\{[^}]*"mimeType":"image\/png"|"mimeType":"image\/png","data"/g),
    ).toHaveLength(2);
    expect(text.split(PNG)).toHaveLength(3);
  });

  it.each([
    ["openai", "gpt-4o", {}],
    ["openai-compatible", "default", { vision: true }],
    ["ollama", "llava", {}],
    ["openai-compatible", "pixtral-12b", {}],
  ])("are sent to the chat API of %s after tool results", async (provider, model, more) => {
    const { messages } = await bodyFor({ provider, model, ...more });
    const image = { type: "image_url", image_url: { url: URL_OF_PNG } };
    expect(messages).toMatchObject([
      { role: "system" },
      { role: "user", content: [{ type: "text", text: "what is this?" }, image] },
      { role: "assistant" },
      { role: "tool", content: "a.png: image/png, 8 bytes\n[image below]" },
      { role: "user", content: [{ type: "text" }, image] },
    ]);
  });

  it.each(["deepseek-chat", "default"])("are notes for %s, which has no vision", async (model) => {
    const { messages } = await bodyFor({ provider: "openai-compatible", model });
    expect(JSON.stringify(messages)).not.toContain(PNG);
    expect(
      JSON.stringify(messages).split("[image omitted: this model does not accept images]"),
    ).toHaveLength(3);
  });
});

it("places images after the last tool result", () => {
  const [, , result] = CONVERSATION as [ModelMessage, ModelMessage, ModelMessage];
  const placed = placeImages([result, result, { role: "assistant", content: "ok" }], {
    acceptsImages: true,
    inResults: false,
  });
  expect(placed.map(({ role }) => role)).toEqual(["tool", "tool", "user", "assistant"]);
  expect(placed[2]?.content).toHaveLength(3);
});

it.each([
  ["claude-haiku-4-5", true],
  ["openai/gpt-4o-mini", true],
  ["gpt-5.1-codex", true],
  ["o3", true],
  ["o3-mini", false],
  ["gemini-2.5-flash", true],
  ["qwen2.5-vl-72b", true],
  ["qwen3-vl:8b", true],
  ["qwen3-coder", false],
  ["gpt-oss-120b", false],
  ["deepseek-chat", false],
  ["glm-4.6", false],
  ["glm-4.6v", true],
  ["default", false],
])("detects vision of %s: %s", (model, sees) => {
  expect(seesImages(model, undefined)).toBe(sees);
  expect(seesImages(model, !sees)).toBe(!sees);
});
