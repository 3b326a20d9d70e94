import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadAnthropic(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const provider = createAnthropic({
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl !== undefined && { baseURL: endpoint.baseUrl }),
  });
  const model = provider(endpoint.model);
  if (endpoint.baseUrl !== undefined) return { model };
  // The longest known beginning of a conversation is not paid for again.
  return { model, options: { anthropic: { cacheControl: { type: "ephemeral" } } } };
}
