import { responsesEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/** The responses API, of OpenAI itself or of who offers it at another address. */
export async function loadResponses(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { apiKey, baseUrl, keyHeader, fetch, asked } = endpoint;
  const provider = createOpenAI({
    ...(apiKey !== undefined && { apiKey }),
    ...(apiKey !== undefined && keyHeader !== undefined && { headers: { [keyHeader]: apiKey } }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  // The conversation is kept here, so nothing of it needs to be kept there.
  return {
    model: provider.responses(endpoint.model),
    imagesInResults: true,
    cache: { key: "openai" },
    options: { openai: { store: false, ...responsesEffort(asked) } },
  };
}
