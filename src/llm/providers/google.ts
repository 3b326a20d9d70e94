import type { LanguageModel } from "ai";
import type { ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadGoogle(endpoint: ProviderEndpoint): Promise<LanguageModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const provider = createGoogleGenerativeAI({
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl === undefined ? {} : { baseURL: endpoint.baseUrl }),
  });
  return provider(endpoint.model);
}
