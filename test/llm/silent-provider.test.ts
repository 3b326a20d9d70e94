import { expect, it, onTestFinished } from "vitest";
import { createModelClient, llmSettings } from "../../src/llm/index.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

it("ends a request to a provider that sends nothing, without a retry", async () => {
  const model = await startScriptedModel({ hang: true });
  onTestFinished(() => model.close());
  const settings = { provider: "openai-compatible", baseUrl: model.baseUrl, model: "m" };
  const client = createModelClient(llmSettings.parse(settings), undefined, { idleTimeoutMs: 200 });
  const answer = client.answer({
    system: "",
    messages: [{ role: "user", content: "go" }],
    tools: [],
    signal: AbortSignal.timeout(60_000),
  });
  await expect(answer).rejects.toThrow("The provider sent no data for 0.2 s.");
  expect(model.requests).toHaveLength(1);
});
