import { geminiEffort } from "../effort.ts";
import { bareName } from "../profiles/find-model.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { imagesOf } from "./gemini.ts";
import { asMessages } from "./messages.ts";

/** Gemini and Claude; project, region and log-in as Google's tools find them. */
export async function loadVertex(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { apiKey, baseUrl, fetch, model, asked } = endpoint;
  const settings = { ...(baseUrl !== undefined && { baseURL: baseUrl }), fetch };
  if (bareName(model).startsWith("claude-")) {
    const { createVertexAnthropic } = await import("@ai-sdk/google-vertex/anthropic");
    const shared = asMessages({ ...endpoint, baseUrl: "vertex" });
    return { model: createVertexAnthropic(settings)(model), ...shared };
  }
  const { createVertex } = await import("@ai-sdk/google-vertex");
  const provider = createVertex({ ...settings, ...(apiKey !== undefined && { apiKey }) });
  const thinking = geminiEffort(asked);
  return {
    model: provider(model),
    ...imagesOf(model),
    options: { vertex: thinking, google: thinking },
  };
}
