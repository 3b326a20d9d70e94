import { messagesEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { withoutTrials } from "./without-trials.ts";

export async function loadMessages(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const { apiKey, baseUrl, fetch } = endpoint;
  const provider = createAnthropic({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  return { model: withoutTrials(provider(endpoint.model)), ...asMessages(endpoint) };
}

export function asMessages({ asked, baseUrl }: ProviderEndpoint): Omit<LoadedModel, "model"> {
  const anthropic = {
    ...messagesEffort(asked),
    ...(baseUrl !== undefined && { toolStreaming: false }),
    ...(asked.form?.form === "budget" &&
      asked.effort !== undefined &&
      asked.effort !== "off" && { anthropicBeta: ["interleaved-thinking-2025-05-14"] }),
  };
  return { imagesInResults: true, cache: { marks: "anthropic" }, options: { anthropic } };
}
