import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { findContextWindow } from "../../src/llm/model-client.ts";
import { findModel } from "../../src/llm/profiles/find-model.ts";
import { llmSettings } from "../../src/llm/settings.ts";

const signal = new AbortController().signal;

async function startOllama(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "not found" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (baseUrl: string, configured?: number) =>
  findContextWindow({ provider: "ollama", model: "tiny:latest", baseUrl, configured }, signal);

describe("the context window", () => {
  it("prefers the configured value", async () => {
    expect(await ask("http://127.0.0.1:1", 4096)).toBe(4096);
  });

  it.each([
    ["gpt-4o-mini", 128_000],
    ["gpt-4.1", 1_047_576],
    ["anthropic/claude-sonnet-4-5", 200_000],
    ["gemini-2.5-pro", 1_048_576],
    ["never-heard-of", undefined],
  ])("of %s is %s", (model, expected) => {
    expect(findModel(model).window).toBe(expected);
  });

  it("of a loaded Ollama model is its actual context size", async () => {
    const url = await startOllama({
      "/api/ps": { models: [{ name: "tiny:latest", context_length: 8192 }] },
      "/api/show": { model_info: { "tiny.context_length": 131_072 } },
    });
    expect(await ask(`${url}/v1/`)).toBe(8192);
  });

  it("of an unloaded model is the requested size", async () => {
    const model_info = { "tiny.context_length": 131_072 };
    const set = await startOllama({
      "/api/ps": { models: [] },
      "/api/show": { parameters: 'stop "x"\nnum_ctx 16384', model_info },
    });
    expect(await ask(set)).toBe(16_384);
    const unset = await startOllama({ "/api/ps": { models: [] }, "/api/show": { model_info } });
    expect(await ask(unset)).toBe(32_768);
    expect(await ask(unset, 65_536)).toBe(65_536);
    expect(await ask(unset, 1_000_000)).toBe(131_072);
  });

  it("is unknown when Ollama does not answer", async () => {
    expect(await ask("http://127.0.0.1:1")).toBeUndefined();
    expect(await ask(await startOllama({}))).toBeUndefined();
  });
});

it("accepts a small configured context window", () => {
  expect(llmSettings.parse({ contextWindow: 500 }).contextWindow).toBe(500);
});
