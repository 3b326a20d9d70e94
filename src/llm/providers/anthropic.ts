import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadAnthropic(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const provider = createAnthropic({
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl === undefined ? {} : { baseURL: endpoint.baseUrl }),
  });
  return { model: provider(endpoint.model) };
}
