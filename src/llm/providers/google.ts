import { googleEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadGoogle(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const provider = createGoogleGenerativeAI({
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl !== undefined && { baseURL: endpoint.baseUrl }),
  });
  const options = { google: googleEffort(endpoint.effort, endpoint.model) };
  return { model: provider(endpoint.model), imagesInResults: true, options };
}
