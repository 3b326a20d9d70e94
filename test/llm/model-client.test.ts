import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createModelClient, llmSettings, type ModelClient } from "../../src/llm/index.ts";
import { describeFailure } from "../../src/llm/provider-error.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: bodies of three different provider APIs
  readonly body: any;
}

async function startProvider(stream: string): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(body) });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function say(client: ModelClient) {
  return client.answer({
    system: "SYSTEM",
    messages: [{ role: "user", content: "hello" }],
    tools: [
      {
        name: "read",
        description: "reads",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
      },
    ],
    signal: AbortSignal.timeout(10_000),
  });
}

const events = (...list: object[]) =>
  list
    .map(
      (event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join("");

describe("providers", () => {
  it("anthropic uses the messages API with the key in its header", async () => {
    const { url, seen } = await startProvider(
      events(
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
            usage: { input_tokens: 7, output_tokens: 1 },
          },
        },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi there" } },
        { type: "content_block_stop", index: 0 },
        {
          type: "content_block_start",
          index: 1,
          content_block: { type: "tool_use", id: "toolu_1", name: "read", input: {} },
        },
        {
          type: "content_block_delta",
          index: 1,
          delta: { type: "input_json_delta", partial_json: '{"path":"a"}' },
        },
        { type: "content_block_stop", index: 1 },
        {
          type: "message_delta",
          delta: { stop_reason: "tool_use", stop_sequence: null },
          usage: { output_tokens: 9 },
        },
        { type: "message_stop" },
      ),
    );
    const client = createModelClient(
      llmSettings.parse({ provider: "anthropic", model: "claude-x", baseUrl: url, apiKey: "k" }),
    );
    const answer = await say(client);
    expect(answer.text).toBe("hi there");
    expect(answer.toolCalls).toEqual([{ callId: "toolu_1", name: "read", input: { path: "a" } }]);
    expect(answer.usage).toEqual({ inputTokens: 7, outputTokens: 9 });
    expect(seen[0]?.path).toBe("/messages");
    expect(seen[0]?.headers["x-api-key"]).toBe("k");
    expect(JSON.stringify(seen[0]?.body.system)).toContain("SYSTEM");
    expect(seen[0]?.body.tools[0].name).toBe("read");
  });

  it("google uses the generative language API", async () => {
    const chunk = {
      candidates: [
        { content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP", index: 0 },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    };
    const { url, seen } = await startProvider(`data: ${JSON.stringify(chunk)}\n\n`);
    const client = createModelClient(
      llmSettings.parse({ provider: "google", model: "gemini-x", baseUrl: url, apiKey: "k" }),
    );
    const answer = await say(client);
    expect(answer.text).toBe("hi");
    expect(seen[0]?.path).toContain("/models/gemini-x:streamGenerateContent");
    expect(seen[0]?.headers["x-goog-api-key"]).toBe("k");
  });

  it("openai with a base URL and ollama use chat completions", async () => {
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    const base = `http://127.0.0.1:${model.port}`;
    const openai = { provider: "openai", model: "m", baseUrl: `${base}/v1`, apiKey: "k" };
    expect((await say(createModelClient(llmSettings.parse(openai)))).text).toBe("ok");
    const ollama = { provider: "ollama", model: "m", baseUrl: base };
    expect((await say(createModelClient(llmSettings.parse(ollama)))).text).toBe("ok");
    expect(model.requests.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
    expect(model.requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer k",
      undefined,
    ]);
  });

  it.each(["openai", "anthropic", "google"])(
    "%s without a key sends no request",
    async (provider) => {
      await expect(say(createModelClient(llmSettings.parse({ provider })))).rejects.toThrow(
        `No API key for ${provider}`,
      );
    },
  );
});

describe("answers", () => {
  it("with duplicate or missing tool call ids get new ids", async () => {
    const model = await startScriptedModel({
      toolCalls: [
        { id: "call_0", name: "read", args: { path: "a" } },
        { id: "call_0", name: "read", args: { path: "b" } },
      ],
    });
    onTestFinished(() => model.close());
    const { toolCalls, message } = await say(
      createModelClient(
        llmSettings.parse({ provider: "openai-compatible", baseUrl: model.baseUrl }),
      ),
    );
    expect(new Set(toolCalls.map(({ callId }) => callId)).size).toBe(toolCalls.length);
    const parts = typeof message.content === "string" ? [] : message.content;
    expect(
      parts.map((part) => (part.type === "tool-call" ? [part.toolCallId, part.input] : part)),
    ).toEqual(toolCalls.map(({ callId, input }) => [callId, input]));
  });
});

describe("retry-after", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j is %s milliseconds", (responseHeaders, expected) => {
    const error = Object.assign(new Error("x"), { statusCode: 429, responseHeaders });
    expect(describeFailure(error, now).retryAfterMs).toBe(expected);
  });
});
