import { geminiEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadGemini(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const { apiKey, baseUrl, fetch, asked } = endpoint;
  const provider = createGoogleGenerativeAI({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  const options = { google: geminiEffort(asked) };
  return { model: provider(endpoint.model), imagesInResults: true, options };
}
