import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AgentEvent, createThreadHost } from "../../src/agent/index.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { createModelClient, llmSettings, type ModelMessage } from "../../src/llm/index.ts";
import { type OllamaRules, startStrictOllama } from "./support/providers/index.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const signal = AbortSignal.timeout(60_000);

async function ollama(rules: OllamaRules, settings: object = {}) {
  const service = await startStrictOllama(rules);
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { baseUrl } = service;
  const given = { provider: "ollama", model: "m", baseUrl, maxRetries: 0, ...settings };
  const client = createModelClient(llmSettings.parse(given));
  return { service, client };
}

describe("Ollama", () => {
  it.each([
    ["what an agent needs where nobody says a number", {}, {}, 32_768],
    ["what the config says", {}, { contextWindow: 65_536 }, 65_536],
    ["no more than the model can", { largest: 8_192 }, {}, 8_192],
  ])("gets a requested context window: %s", async (_name, rules, settings, expected) => {
    const { service, client } = await ollama({ steps: 0, ...rules }, settings);
    expect(await client.contextWindow(signal)).toBe(expected);
    const messages: ModelMessage[] = [{ role: "user", content: "Hello" }];
    expect((await client.answer({ system: "S", messages, tools: [], signal })).text).toBe("Done.");
    // A different `num_ctx` would make Ollama reload the model.
    const response = service.seen.flatMap(({ body }) => body.options?.num_ctx ?? []);
    expect(new Set(response)).toEqual(new Set([expected]));
    expect(service.refusals).toEqual([]);
  });

  it("uses the actual context window once the model is loaded", async () => {
    const { client } = await ollama({ given: 8_192 }, { contextWindow: 65_536 });
    expect(await client.contextWindow(signal)).toBe(8_192);
  });

  it("gets images in place", async () => {
    const { service, client } = await ollama({ steps: 0 }, { vision: true });
    const image = { type: "file" as const, data: PNG, mediaType: "image/png" };
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
    ];
    await client.answer({ system: "S", messages, tools: [], signal });
    const { body } = service.seen.find(({ path }) => path === "/api/chat") ?? { body: {} };
    expect(body.messages[1]).toEqual({ role: "user", content: "What is this?", images: [PNG] });
    expect(service.refusals).toEqual([]);
  });

  it("separates reasoning from the response", async () => {
    const { client } = await ollama({ thinks: "switch" });
    let thought = "";
    const answer = await client.answer({
      system: "S",
      messages: [{ role: "user", content: "Read." }],
      tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
      signal,
      onReasoning: (text) => {
        thought += text;
      },
    });
    expect(thought).toBe("Let me see.");
    expect(answer.toolCalls.map(({ input }) => input)).toEqual([{ path: "f00" }, { path: "f01" }]);
  });

  it("warns of a context window that is too small", async () => {
    const { service } = await ollama({ steps: 0, given: 4_096 });
    const projectRoot = mkdtempSync(join(tmpdir(), "cairn-ollama-"));
    const host = await createThreadHost({
      projectRoot,
      userConfigDir: join(projectRoot, "no-config"),
      dataDir: join(projectRoot, "data"),
      settings: agentSettings.parse({ sandbox: false, memory: "off" }),
      llm: llmSettings.parse({ provider: "ollama", model: "m", baseUrl: service.baseUrl }),
      memory: undefined,
      surface: "server",
      environment: process.env,
    });
    onTestFinished(async () => {
      await host.close();
      rmSync(projectRoot, { recursive: true, force: true });
    });
    const events: AgentEvent[] = [];
    host.subscribe((event) => events.push(event));
    await host.create({ threadId: "t" });
    await host.send("t", "Hello");
    const told = () =>
      events.flatMap((event) =>
        event.type === "status" && event.phase === "info" ? [event.message] : [],
      );
    await expect
      .poll(told)
      .toContainEqual(expect.stringContaining("context window of 4,096 tokens"));
  });
});
