import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/**
 * Answers of models that think are lists of parts, which only this library reads and sends back.
 * How much they think is the model's name: `magistral` thinks, others do not.
 */
export async function loadMistral(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createMistral } = await import("@ai-sdk/mistral");
  const { apiKey, baseUrl, fetch } = endpoint;
  const provider = createMistral({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  return { model: provider(endpoint.model), forgetsThought: true };
}
