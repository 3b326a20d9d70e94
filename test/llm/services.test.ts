import { describe, expect, it } from "vitest";
import {
  createModelClient,
  type Effort,
  llmSettings,
  type ModelMessage,
} from "../../src/llm/index.ts";
import type { StrictService } from "./support/providers/index.ts";
import { signInToBedrock, signInToGoogle } from "./support/sign-in-to-clouds.ts";
import { type Settings, STRICT_SERVICES } from "./support/strict-services.ts";

const tool = (name: string) => ({
  name,
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

/** A tool result with an image between texts, as an MCP server returns it. */
const PICTURE = {
  type: "content" as const,
  value: [
    { type: "text" as const, text: "before" },
    { type: "image-data" as const, data: "iVBORw0KGgo=", mediaType: "image/png" },
    { type: "text" as const, text: "behind" },
  ],
};

/**
 * Runs nine steps of two calls and a final text. After the fifth, a new client continues the
 * serialized conversation.
 */
async function converse(service: StrictService, settings: Settings): Promise<string> {
  const { provider } = settings;
  if (provider === "bedrock") signInToBedrock(service);
  if (provider === "vertex") await signInToGoogle();
  // `signInToBedrock` sets the endpoint in the environment.
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

describe.each(STRICT_SERVICES)("a conversation of ten steps with %s", (_name, settings, start) => {
  const isTaken = async (effort?: Effort) => {
    await using service = await start();
    expect(await converse(service, { ...settings, ...(effort !== undefined && { effort }) })).toBe(
      "Done.",
    );
    // Azure rejects an optional field once; the retry leaves it out.
    expect(service.refusals.length).toBeLessThanOrEqual(settings.provider === "azure" ? 2 : 0);
  };

  it("is accepted", () => isTaken());
  it.each(["low", "high"] as const)("is accepted, effort %s", { tags: ["long"] }, isTaken);
});
