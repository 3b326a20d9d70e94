import { chatEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { normalizedChatFetch } from "./chat-stream.ts";

export async function loadGroq(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGroq } = await import("@ai-sdk/groq");
  const { apiKey, baseUrl, fetch, asked } = endpoint;
  const provider = createGroq({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch: normalizedChatFetch(fetch),
  });
  const model = provider(endpoint.model);
  return { model, forgetsThought: true, options: { groq: chatEffort(asked) } };
}
