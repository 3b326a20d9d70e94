import type { LanguageModel } from "ai";
import type { ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadAnthropic(endpoint: ProviderEndpoint): Promise<LanguageModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const provider = createAnthropic({
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl === undefined ? {} : { baseURL: endpoint.baseUrl }),
  });
  return provider(endpoint.model);
}
