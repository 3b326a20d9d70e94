import { routedEffort } from "../effort.ts";
import { bareName } from "../profiles/find-model.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/** What a model thought goes back as OpenRouter's `reasoning_details`, signatures included. */
export async function loadOpenRouter(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
  const { apiKey, baseUrl, fetch, asked } = endpoint;
  const provider = createOpenRouter({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    compatibility: "strict",
    fetch,
  });
  // Others are cached without being asked.
  const isCachedOnDemand = bareName(endpoint.model).startsWith("claude-");
  return {
    model: provider(endpoint.model),
    options: { openrouter: routedEffort(asked) },
    ...(isCachedOnDemand && { cache: { marks: "openrouter" } as const }),
  };
}
