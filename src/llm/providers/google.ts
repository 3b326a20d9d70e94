import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadGoogle(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const provider = createGoogleGenerativeAI({
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl !== undefined && { baseURL: endpoint.baseUrl }),
  });
  return { model: provider(endpoint.model) };
}
