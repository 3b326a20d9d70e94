import { anthropicEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadAnthropic(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const provider = createAnthropic({
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl !== undefined && { baseURL: endpoint.baseUrl }),
  });
  // The longest known beginning of a conversation is not paid for again, behind gateways neither.
  const options = { cacheControl: { type: "ephemeral" }, ...anthropicEffort(endpoint.effort) };
  return {
    model: provider(endpoint.model),
    imagesInResults: true,
    options: { anthropic: options },
  };
}
