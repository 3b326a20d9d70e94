import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/** Any server with `POST <base url>/chat/completions`; without a key no header is sent. */
export async function loadOpenAiCompatible(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: endpoint.baseUrl ?? "http://127.0.0.1:8080/v1",
    includeUsage: true,
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
  });
  return { model: provider(endpoint.model) };
}
